(** Limits: `limit E "why"` (CMP-03), and what logging may do then (LAW-01). *)

From Metricc Require Export Forgive.

Section Limit.
Variables (when lim : world -> value) (present : world -> bool) (good : world -> Prop).
(** The facts of the records that the limit names. Presence comes from `when` alone. *)
Variable named : fact -> bool.
Hypothesis looks_at_named : forall fs gs s r,
  filter named fs = filter named gs -> lim (World fs s r) = lim (World gs s r).
Definition limited w : value := Some (of_bool (is (when w) scale && is (lim w) scale)).

(** Datasets in which the named facts are these: between two of them no fact was added that a limit names. *)
Variable these : list fact.
Definition spared w := good w /\ filter named (facts w) = these.
Lemma other_facts_spare f a b : named f = false -> filter named (a ++ f :: b) = filter named (a ++ b).
Proof. intros N. rewrite !filter_app. cbn. now rewrite N. Qed.

Lemma limit_stays w w' : step Added w w' -> spared w -> spared w' -> lim w = lim w'.
Proof. intros S [_ E] [_ E']. inversion S; subst. apply looks_at_named. cbn in *. congruence. Qed.
Lemma limited_true w : is (limited w) scale = is (when w) scale && is (lim w) scale.
Proof. apply is_of_bool_true. Qed.
(** *Limit*: a complete window has f only where `when` has it … *)
Lemma limited_stays_done : stays_done when present good -> stays_done limited present spared.
Proof.
  intros K w w' S G G'. specialize (K w w' S (proj1 G) (proj1 G')). unfold done in *.
  rewrite !limited_true, (limit_stays w w') by auto. destruct (is (lim w') scale);
    [rewrite !andb_true_r; exact K|rewrite !andb_false_r; discriminate].
Qed.
(** … and a window that it ends may hold all that `when` asks for: `rest when` has no f in any window. *)
Lemma rest_stays b rest :
  falls (added b) = false -> sound true b good rest -> stays_resting limited rest present spared.
Proof. intros F H w w' S [G _] [G' _] _. now apply (never_stops b good). Qed.

Hypothesis present_needs_facts : forall w, no_data w -> present w = false.
Theorem limited_completion_sound f : (f = false -> stays_done when present good) ->
  sound true (completion_row f) spared (fun w => Some (of_bool (done limited present w))).
Proof. intros K. apply completion_sound; auto. intros E. now apply limited_stays_done, K. Qed.

(** Streaks and momentum over it: a fact that no limit names never lowers one. *)
Theorem limited_never_lowers epoch prev rest b read high w w' :
  (forall e, prev e < e) -> reads read high -> stays_done when present good ->
  falls (added b) = false -> sound true b good rest -> step Added w w' ->
  everywhere spared w -> everywhere spared w' ->
  read (states epoch prev limited rest present w) <= read (states epoch prev limited rest present w').
Proof.
  intros P (R & _) K F B S G G'. apply R. unfold states. rewrite <- (added_today w w' S).
  apply (states_better epoch prev P limited rest present spared); auto using limited_stays_done; [|lia].
  now apply (rest_stays b).
Qed.
End Limit.

(** A named fact may: it ends its own window, as the person chose. *)
Example a_named_fact_ends_its_window :
  let when := fun w => Some (of_bool true) in
  let lim := fun w => Some (of_bool (size (facts w) =? 0)) in
  let done_with fs := done (limited when lim) (fun _ => true) (World fs [] 0) in
  forall f, done_with [] = true /\ done_with [f] = false.
Proof. split; reflexivity. Qed.
