(** The other kinds of metrics, groups, and subjects as rows. *)

From Metricc Require Export Windows.

(** ** Levels: the thresholds that a value has reached (LEV-01) *)
Definition reached_by (ts : list Z) (z : Z) : Z := scale * size (filter (fun t => t <=? z) ts).
Definition level_values ts (v : values) :=
  range (if negb (may_present v) || may_none v then 0 else reached_by ts (low v))
    (if may_present v then reached_by ts (high v) else 0).
Definition level_b ts b :=
  tidied false (map_b (level_values ts) (fun m => M (rises m || appears m) (falls m || vanishes m) false false) b).
Definition level_value ts (x : value) : value := Some (match x with Some z => reached_by ts z | None => 0 end).
Lemma reached_by_mono ts p q : p <= q -> 0 <= reached_by ts p <= reached_by ts q.
Proof.
  intros H. unfold reached_by, scale, size.
  assert (L : size (filter (fun t => t <=? p) ts) <= size (filter (fun t => t <=? q) ts))
    by (apply within_length, within_filter; [apply within_refl|]; intros t; lia). unfold size in L. lia.
Qed.
Lemma level_sound ts b good f :
  sound false b good f -> sound false (level_b ts b) good (fun w => level_value ts (f w)).
Proof.
  intros H. apply tidied_sound; [discriminate|]. apply (map_sound good false false _ _ b f (level_value ts) H).
  - intros u w _ W. unfold level_values, level_value. destruct (f w) as [p|]; cbn in *.
    + destruct W as [-> W]. cbn. pose proof (reached_by_mono ts (low u) p ltac:(lia)).
      pose proof (reached_by_mono ts p (high u) ltac:(lia)). destruct (may_none u); split; auto; lia.
    + rewrite W, orb_true_r. split; auto. destruct (may_present u); [|lia].
      pose proof (reached_by_mono ts (high u) (high u) ltac:(lia)). lia.
  - assert (U : forall p q, reached_by ts p < reached_by ts q -> p < q).
    { intros p q L. destruct (Z_lt_dec p q); auto. pose proof (reached_by_mono ts q p ltac:(lia)). lia. }
    assert (P : forall p, 0 <= reached_by ts p) by (intros p; apply (reached_by_mono ts p p); lia).
    intros m w w' _ _ Hm. cbn [ok] in *. unfold level_value. destruct (f w) as [p|], (f w') as [q|]; cbn in *;
      rewrite ?orb_true_iff; split; intros L; auto; try lia; try (apply U in L; intuition);
      [specialize (P p)|specialize (P q)]; lia.
Qed.

(** ** `at least K`, `nearest N`, progress, groups *)

(** A value that is hidden, by whatever rule, and that nobody contributes to on no data. *)
Definition hidden_b b := B (V true (may_present (vals b)) (low (vals b)) (high (vals b))) vnone all_moves all_moves.
Lemma hidden_sound (bool : bool) b good f hides :
  sound bool b good f -> (forall w, no_data w -> hides w = true) ->
  sound bool (hidden_b b) good (fun w => if hides w then None else f w).
Proof.
  intros (H & _) N. split; [|split].
  - intros w G. specialize (H w G). destruct (hides w), (f w); cbn in *; auto.
  - intros w _ D. now rewrite N.
  - intros ax w w' _ _ _. destruct bool, ax; cbn; auto using all_ok, all_ok_number.
Qed.
(** PRIV-15: the nearest multiple, halves away from 0. Its bounds are those of the rounded ends. *)
Definition nearest n z := rdiv z n * n.
Definition nearest_values n (v : values) :=
  V (may_none v) (may_present v) (if low v =? - limit then - limit else nearest n (low v))
    (if high v =? limit then limit else nearest n (high v)).
Definition nearest_b n b := map_b (nearest_values n) (fun m => m) b.
Lemma nearest_mono n p q : 0 < n -> p <= q -> nearest n p <= nearest n q.
Proof. intros N H. unfold nearest. apply Z.mul_le_mono_nonneg_r; [lia|]. apply rdiv_mono; [lia|lia|nia]. Qed.
Lemma nearest_sound n b (good : world -> Prop) f :
  0 < n -> (forall w, good w -> fits (option_map (nearest n) (f w))) -> sound false b good f ->
  sound false (nearest_b n b) good (fun w => option_map (nearest n) (f w)).
Proof.
  intros N F H. apply (map_sound good false false _ _ b f (option_map (nearest n)) H).
  - intros u w G W. specialize (F w G). destruct (f w) as [p|]; cbn in *; auto. destruct W as [-> W]. split; auto.
    pose proof (nearest_mono n (low u) p N ltac:(lia)). pose proof (nearest_mono n p (high u) N ltac:(lia)).
    destruct (low u =? - limit), (high u =? limit); lia.
  - intros m w w' _ _ Hm. cbn [ok] in *. destruct (f w) as [p|], (f w') as [q|]; cbn in *; auto.
    destruct Hm as [R D]. split; intros L; [apply R|apply D].
    + destruct (Z_lt_dec p q); auto. pose proof (nearest_mono n q p N ltac:(lia)). lia.
    + destruct (Z_lt_dec q p); auto. pose proof (nearest_mono n p q N ltac:(lia)). lia.
Qed.

(** The part `fraction` of a progress, and the rows of what is read of a completion, from those of its `when`; for the
    comparison, these are of completions without `rest when` and without what presence says of several records. *)
Definition fraction_b (whole : bool) x y := tidied false
  (combine (fun u v => vdiv u v (if whole then scale else 1)) (quotient_moves (vals x) (vals y)) x y).
Lemma fraction_sound (whole : bool) x y (good : world -> Prop) f g :
  (forall w, good w -> on_step (if whole then scale else 1) (g w) /\ fits (div (f w) (g w))) ->
  sound false x good f -> sound false y good g -> sound false (fraction_b whole x y) good (fun w => div (f w) (g w)).
Proof.
  intros G X Y. apply tidied_sound; [discriminate|]. apply (combine_sound good false false false); auto; intros.
  - destruct (G w H). apply vdiv_sound; auto. destruct whole; reflexivity.
  - now apply quotient_moves_sound.
Qed.
Inductive kind := Held | Current | Best | Previous | Read (high : Z) | Counted (high : Z) (all : bool)
  | FirstDay (all : bool)
  | LastDay (all : bool).
Definition of_completion (k : kind) (when : behaviour) (presence_lasts : bool) : behaviour :=
  let f := falls (added when) in
  let kept := presence_lasts && negb (falls (passing when)) in
  let pass := if kept then M true false false false else M true true false false in
  match certainty (vals when), k with
  | Some false, (FirstDay _ | LastDay _) => constant vnone
  | Some false, _ => constant (exactly 0)
  | _, Held => completion_row f
  | _, Current => windows_row limit f pass
  | _, Best => windows_row limit f (M true false false false)
  | _, Previous => windows_row limit true (M true true false false)
  | _, Read high => windows_row high f pass
  | _, Counted high all => windows_row high f (M true (negb all) false false)
  | _, FirstDay all => first_row f all
  | _, LastDay all => last_row f all
  end.

(** A group has a row where a fact passes one of its aggregates: rows stay when facts are added, and what is known
    with a fact is known of each row. No row lies below every number. *)
Lemma group_kept (bool : bool) b (good has_row : world -> Prop) f :
  sound bool b (fun w => good w /\ has_row w) f -> keeps bool (added b) ->
  forall w w', step Added w w' -> good w -> good w' -> has_row w -> has_row w' -> at_most bool (f w) (f w').
Proof. intros (_ & _ & H) K w w' S G G' R R'. apply (kept _ _ _ _ K). now apply (H Added). Qed.
Lemma group_row_stays keeps_fact w w' : step Added w w' ->
  (exists f, In f (facts w) /\ keeps_fact f (today w) = true) ->
  exists f, In f (facts w') /\ keeps_fact f (today w') = true.
Proof.
  intros S (f & I & K). inversion S as [fs gs s r W|]; subst. exists f. split; auto. apply (within_incl _ _ W), I.
Qed.

(** ** Subjects as rows (OPD-07) *)

(** Each subject that there can be, in any dataset: whether it exists, the `where`, and the number taken. *)
Section Subjects.
Variable subjects : list Z.
Variables (exists_ : Z -> world -> bool) (filter_ argument : Z -> world -> value).
Variables (good : world -> Prop) (e x : behaviour) (is_app : bool).
Hypothesis E : forall s, sound true e good (filter_ s).
Hypothesis X : forall s, sound false x good (argument s).
(** A fact may make a subject exist for the app; it belongs to no other. None comes or goes as days pass. *)
Hypothesis stays : forall s ax w w', step ax w w' -> exists_ s w = true -> exists_ s w' = true.
Hypothesis comes : forall s ax w w', step ax w w' -> is_app = false \/ ax = Passing ->
  exists_ s w' = true -> exists_ s w = true.
Definition chosen s w := exists_ s w && is (filter_ s w) scale.
Definition chosen_moves m := M (rises m || is_app) (falls m) false false.
Definition count_moves m := chosen_moves m.

Lemma gains ax s w w' : step ax w w' -> good w -> good w' -> chosen s w = false -> chosen s w' = true ->
  rises (chosen_moves (moves_of ax e)) = true.
Proof.
  intros S G G' C C'. unfold chosen in *. apply andb_prop in C'. destruct C' as [C1 C2]. cbn.
  destruct (is (filter_ s w) scale) eqn:Q.
  - rewrite andb_true_r in C. destruct is_app eqn:A; [apply orb_true_r|].
    rewrite (comes s ax w w' S) in C; auto; discriminate.
  - destruct (E s) as (_ & _ & H). destruct (H ax w w' S G G') as (H1 & _). now rewrite H1.
Qed.
Lemma loses ax s w w' : step ax w w' -> good w -> good w' -> chosen s w = true -> chosen s w' = false ->
  falls (chosen_moves (moves_of ax e)) = true.
Proof.
  intros S G G' C C'. unfold chosen in *. apply andb_prop in C. destruct C as [C1 C2].
  rewrite (stays s ax w w' S C1) in C'. destruct (E s) as (_ & _ & H). destruct (H ax w w' S G G') as (_ & H1 & _).
  cbn. auto.
Qed.

Definition count_subjects w : value := Some (scale * size (filter (fun s => chosen s w) subjects)).
Lemma count_subjects_moves ax w w' : step ax w w' -> good w -> good w' ->
  ok_number (chosen_moves (moves_of ax e)) (count_subjects w) (count_subjects w').
Proof.
  intros S G G'. unfold count_subjects.
  assert (Le : forall v v', (forall s, chosen s v = true -> chosen s v' = true) ->
    size (filter (fun s => chosen s v) subjects) <= size (filter (fun s => chosen s v') subjects)).
  { intros v v' H. apply within_length, within_filter; [apply within_refl|exact H]. }
  cbn [ok_number]. split; intros L.
  - destruct (rises (chosen_moves (moves_of ax e))) eqn:R; auto. exfalso. assert (Q := Le w' w). unfold scale in L.
    cut (forall s, chosen s w' = true -> chosen s w = true); [intros K; specialize (Q K); lia|].
    intros s C. destruct (chosen s w) eqn:D; auto. rewrite (gains ax s w w' S G G' D C) in R. discriminate.
  - destruct (falls (chosen_moves (moves_of ax e))) eqn:R; auto. exfalso. assert (Q := Le w w'). unfold scale in L.
    cut (forall s, chosen s w = true -> chosen s w' = true); [intros K; specialize (Q K); lia|].
    intros s C. destruct (chosen s w') eqn:D; auto. rewrite (loses ax s w w' S G G' C D) in R. discriminate.
Qed.

(** What each subject adds to a sum, and the elements of the others. *)
Definition part s w : list Z := if chosen s w then match argument s w with Some z => [z] | None => [] end else [].
Definition parts w := flat_map (fun s => part s w) subjects.
Definition signs := M (may_pos (vals x)) (may_neg (vals x)) false false.
Definition subjects_sum_moves ax :=
  let c := chosen_moves (moves_of ax e) in let own := moves_of ax x in
  union (order own) (union (when (rises c || appears own) signs) (when (falls c || vanishes own) (mirrored signs))).
Lemma part_moves ax s w w' : step ax w w' -> good w -> good w' ->
  ok_number (subjects_sum_moves ax) (Some (total (part s w))) (Some (total (part s w'))).
Proof.
  intros S G G'. unfold part. destruct (X s) as (V & _ & H). pose proof (V w G) as V1. pose proof (V w' G') as V2.
  specialize (H ax w w' S G G'). unfold subjects_sum_moves.
  set (c := chosen_moves (moves_of ax e)). set (own := moves_of ax x) in *.
  assert (P : forall z, within (vals x) (Some z) -> 0 < z -> may_pos (vals x) = true)
    by (intros z [Pz Bz] Lz; unfold may_pos; rewrite Pz; cbn; lia).
  assert (N : forall z, within (vals x) (Some z) -> z < 0 -> may_neg (vals x) = true)
    by (intros z [Pz Bz] Lz; unfold may_neg; rewrite Pz; cbn; lia).
  destruct (chosen s w) eqn:C, (chosen s w') eqn:D.
  - destruct (argument s w) as [p|], (argument s w') as [q|]; cbn [total fold_right ok_number] in *;
      rewrite ?Z.add_0_r; try (split; lia); bits; rewrite !orb_true_iff; cbn in H; fold own in H;
        rewrite ?H, ?orb_true_r; bits;
      split; intros L; try (left; now apply H); right.
    + right. now apply (N p). + right. now apply (P p). + left. now apply (P q). + left. now apply (N q).
  - pose proof (loses ax s w w' S G G' C D) as Lo. fold c in Lo. rewrite Lo.
    destruct (argument s w) as [p|]; cbn [total fold_right ok_number]; rewrite ?Z.add_0_r; [|split; lia].
    bits. rewrite !orb_true_iff. split; intros L; right; right; [now apply (N p)|now apply (P p)].
  - pose proof (gains ax s w w' S G G' C D) as Ga. fold c in Ga. rewrite Ga.
    destruct (argument s w') as [q|]; cbn [total fold_right ok_number]; rewrite ?Z.add_0_r; [|split; lia].
    bits. rewrite !orb_true_iff. split; intros L; right; left; [now apply (P q)|now apply (N q)].
  - cbn. split; lia.
Qed.
Lemma subjects_sum_moves_sound ax w w' : step ax w w' -> good w -> good w' ->
  ok_number (subjects_sum_moves ax) (Some (total (parts w))) (Some (total (parts w'))).
Proof.
  intros S G G'. assert (T : forall l l', total (l ++ l') = total l + total l').
  { intros l l'. unfold total. induction l as [|z l IH]; cbn [app fold_right]; lia. }
  unfold parts. induction subjects as [|s ss IH]; [cbn; split; lia|]. cbn [flat_map]. rewrite !T.
  apply (add_moves _ _ (Some _) (Some _) (Some _) (Some _) (part_moves ax s w w' S G G')) in IH.
  unfold add, lift2 in IH. cbn [ok_number] in *. bits. rewrite !orb_diag in IH. exact IH.
Qed.
Lemma parts_nonneg w : good w -> 0 <= low (vals x) -> Forall (fun z => 0 <= z) (parts w).
Proof.
  intros G L. apply Forall_forall. intros z H. apply in_flat_map in H. destruct H as (s & _ & H). unfold part in H.
  destruct (chosen s w); [|destruct H]. destruct (X s) as (V & _). specialize (V w G).
  destruct (argument s w); cbn in *; [|tauto]. destruct H as [<-|[]]. lia.
Qed.

(** max, and by the mirror min: while no subject is lost, what is there stays there. *)
Definition max_moves ax :=
  let c := chosen_moves (moves_of ax e) in let own := moves_of ax x in
  if falls c || vanishes own then all_moves
  else if rises c || appears own then M true (falls own) true false else own.
Lemma no_loss ax w w' p : step ax w w' -> good w -> good w' ->
  falls (chosen_moves (moves_of ax e)) = false -> vanishes (moves_of ax x) = false ->
  In p (parts w) -> exists q, In q (parts w') /\ (p < q -> rises (moves_of ax x) = true)
    /\ (q < p -> falls (moves_of ax x) = true).
Proof.
  intros S G G' F V H. apply in_flat_map in H. destruct H as (s & I & H). unfold part in H.
  destruct (chosen s w) eqn:C; [|destruct H].
  destruct (chosen s w') eqn:D; [|rewrite (loses ax s w w' S G G' C D) in F; discriminate].
  destruct (X s) as (_ & _ & K). specialize (K ax w w' S G G'). cbn [ok] in K.
  destruct (argument s w) as [y|] eqn:Ay; [|destruct H]. destruct H as [<-|[]].
  destruct (argument s w') as [q|] eqn:Aq; cbn in K; [|congruence]. exists q. split; [|exact K].
  apply in_flat_map. exists s. split; auto. unfold part. rewrite D, Aq. cbn. auto.
Qed.
Lemma no_gain ax w w' q : step ax w w' -> good w -> good w' ->
  rises (chosen_moves (moves_of ax e)) = false -> appears (moves_of ax x) = false ->
  In q (parts w') -> exists p, In p (parts w) /\ (p < q -> rises (moves_of ax x) = true)
    /\ (q < p -> falls (moves_of ax x) = true).
Proof.
  intros S G G' F V H. apply in_flat_map in H. destruct H as (s & I & H). unfold part in H.
  destruct (chosen s w') eqn:D; [|destruct H].
  destruct (chosen s w) eqn:C; [|rewrite (gains ax s w w' S G G' C D) in F; discriminate].
  destruct (X s) as (_ & _ & K). specialize (K ax w w' S G G'). cbn [ok] in K.
  destruct (argument s w') as [y|] eqn:Ay; [|destruct H]. destruct H as [<-|[]].
  destruct (argument s w) as [p|] eqn:Aq; cbn in K; [|congruence]. exists p. split; [|exact K].
  apply in_flat_map. exists s. split; auto. unfold part. rewrite C, Aq. cbn. auto.
Qed.
Lemma max_moves_sound ax w w' : step ax w w' -> good w -> good w' ->
  ok_number (max_moves ax) (extreme Z.max (parts w)) (extreme Z.max (parts w')).
Proof.
  intros S G G'. unfold max_moves. destruct (falls _ || vanishes _) eqn:F; [apply all_ok_number|].
  apply orb_false_iff in F. destruct F as [F V]. pose proof (no_loss ax w w') as NL.
  destruct (extreme Z.max (parts w)) as [p|] eqn:P.
  - destruct (NL p S G G' F V (extreme_in Z.max _ _ (or_intror eq_refl) P)) as (q0 & I & R0 & D0).
    destruct (extreme_some Z.max _ _ I) as [q Q]. rewrite Q. pose proof (greatest_is_greatest _ _ _ Q I).
    destruct (rises _ || appears _) eqn:A; cbn.
    + split; auto. intros L. apply D0. lia.
    + apply orb_false_iff in A. destruct A as [A1 A2]. split; intros L; [|apply D0; lia].
      destruct (no_gain ax w w' q S G G' A1 A2 (extreme_in Z.max _ _ (or_intror eq_refl) Q)) as (p0 & J & R & _).
      apply R. pose proof (greatest_is_greatest _ _ _ P J). lia.
  - destruct (extreme Z.max (parts w')) as [q|] eqn:Q; [|destruct (if _ : bool then _ else _); exact I].
    destruct (rises _ || appears _) eqn:A; [reflexivity|]. exfalso. apply orb_false_iff in A. destruct A as [A1 A2].
    destruct (no_gain ax w w' q S G G' A1 A2 (extreme_in Z.max _ _ (or_intror eq_refl) Q)) as (p0 & J & _).
    destruct (extreme_some Z.max _ _ J) as [z Z0]. congruence.
Qed.
End Subjects.

(** ** Funnels: a chain of facts stays when facts are added, and as days pass (FUN-01, FUN-05) *)
Section Funnel.
(** Whether two facts are in order (FUN-03). *)
Variable in_order : fact -> fact -> bool.
Fixpoint reaches_from (fs : list fact) (steps : list (fact -> bool)) (within_days : fact -> bool) (after : fact) :=
  match steps with
  | [] => true
  | takes :: steps =>
      existsb (fun g => takes g && within_days g && in_order after g && reaches_from fs steps within_days g) fs
  end.
Definition past (w : world) := filter (fun f => on f <=? today w) (facts w).
(** [near f g]: g lies less than N days after f. *)
Definition reaches_steps near (first : fact -> bool) steps w :=
  existsb (fun f => first f && reaches_from (past w) steps (near f) f) (past w).
Definition takes_any near (opens : fact -> bool) (steps : list (fact -> bool)) k w :=
  existsb (fun f => opens f && (k <=? size (filter (fun takes => existsb (fun g => takes g && near f g) (past w))
    steps)))
    (past w).
Lemma existsb_grows {A} (p q : A -> bool) l l' :
  incl l l' -> (forall a, p a = true -> q a = true) -> existsb p l = true -> existsb q l' = true.
Proof. intros I H. rewrite !existsb_exists. intros (a & Ha & Pa). exists a. auto. Qed.
Lemma past_grows ax w w' : step ax w w' -> incl (past w) (past w').
Proof.
  intros S f. unfold past. rewrite !filter_In.
  inversion S as [fs gs s r W|]; subst; cbn; intros [I L]; split; auto; try lia.
  now apply (within_incl _ _ W).
Qed.
Lemma reaches_from_grows fs gs steps near f :
  incl fs gs -> reaches_from fs steps near f = true -> reaches_from gs steps near f = true.
Proof.
  intros I. revert f. induction steps as [|takes steps IH]; cbn; auto. intros f. apply existsb_grows; auto.
  intros g. rewrite !andb_true_iff. intuition.
Qed.
Lemma steps_stay ax near first steps w w' : step ax w w' ->
  reaches_steps near first steps w = true -> reaches_steps near first steps w' = true.
Proof.
  intros S. apply existsb_grows; [now apply past_grows with ax|]. intros f. rewrite !andb_true_iff. intros [H1 H2].
  split; auto. now apply (reaches_from_grows (past w)), H2; apply past_grows with ax.
Qed.
Lemma any_stays ax near opens steps k w w' : step ax w w' ->
  takes_any near opens steps k w = true -> takes_any near opens steps k w' = true.
Proof.
  intros S. pose proof (past_grows ax w w' S) as I. apply existsb_grows; auto. intros f.
  rewrite !andb_true_iff, !Z.leb_le.
  intros [H1 H2]. split; auto. etransitivity; [exact H2|]. apply within_length, within_filter; [apply within_refl|].
  intros takes. apply existsb_grows; auto.
Qed.
(** The number of subjects that reached a step only grows; so does that of a retention's eligible and returned ones,
    whose day 0 no later day moves. *)
Lemma reached_subjects_sound (subjects : list Z) (reached : Z -> world -> bool) :
  (forall s ax w w', step ax w w' -> reached s w = true -> reached s w' = true) ->
  (forall s w, no_data w -> reached s w = false) ->
  let f := fun w => Some (scale * size (filter (fun s => reached s w) subjects)) in
  sound false (windows_row limit false (M true false false false)) (fun w => fits (f w)) f.
Proof.
  intros H N f. split; [|split]; cbn.
  - intros w F. split; auto. unfold size, scale in *. lia.
  - intros w _ D. split; auto. replace (filter _ _) with (@nil Z); [cbn; lia|].
    induction subjects as [|s ss IH]; cbn; auto. rewrite N; auto.
  - intros ax w w' S _ _. assert (L : size (filter (fun s => reached s w) subjects)
        <= size (filter (fun s => reached s w') subjects)).
    { apply within_length, within_filter; [apply within_refl|]. intros s. now apply (H s ax). }
    destruct ax; cbn; split; auto; unfold scale; lia.
Qed.
End Funnel.

(** ** Retention: eligible and returned are kept as days pass (RET-01 to RET-04) *)
Section Retention.
Variables (starts returns : Z -> fact -> bool).
Definition day_zero s w : value := extreme Z.min (map on (filter (starts s) (past w))).
Definition eligible n s w := match day_zero s w with Some d => d + n <=? today w | None => false end.
Definition returned (later : bool) n s w :=
  match day_zero s w with
  | Some d => (d + n <=? today w)
      && existsb (fun g => returns s g && (if later then d + n <=? on g else on g =? d + n)) (past w)
  | None => false
  end.
Lemma day_zero_kept s fs st r r' d : r <= r' -> day_zero s (World fs st r) = Some d ->
  day_zero s (World fs st r') = Some d.
Proof.
  intros L D. unfold day_zero in *. pose proof (past_grows Passing _ _ (pass_days fs st r r' L)) as I.
  apply extreme_in in D as J; auto. apply in_map_iff in J. destruct J as (f & <- & J). apply filter_In in J.
  assert (K : In (on f) (map on (filter (starts s) (past (World fs st r'))))).
  { apply in_map, filter_In. split; [apply I|]; apply J. }
  destruct (extreme_some Z.min _ _ K) as [q Q]. rewrite Q. f_equal. pose proof (least_is_least _ _ _ Q K).
  apply extreme_in in Q as Q'; auto. apply in_map_iff in Q'. destruct Q' as (g & <- & G). apply filter_In in G.
  destruct G as [G1 G2]. unfold past in G1. apply filter_In in G1. destruct J as [J1 J2]. unfold past in J1.
  apply filter_In in J1. cbn in *. assert (In (on g) (map on (filter (starts s) (past (World fs st r))))).
  { apply in_map, filter_In. split; auto. apply filter_In. cbn. split; [apply G1|lia]. }
  pose proof (least_is_least _ _ _ D H0). lia.
Qed.
Lemma eligible_kept n s fs st r r' : r <= r' -> eligible n s (World fs st r) = true ->
  eligible n s (World fs st r') = true.
Proof.
  unfold eligible. intros L. destruct (day_zero s (World fs st r)) as [d|] eqn:D; [|discriminate].
  rewrite (day_zero_kept s fs st r r' d L D). cbn. lia.
Qed.
Lemma returned_kept later n s fs st r r' :
  r <= r' -> returned later n s (World fs st r) = true -> returned later n s (World fs st r') = true.
Proof.
  unfold returned. intros L. destruct (day_zero s (World fs st r)) as [d|] eqn:D; [|discriminate].
  rewrite (day_zero_kept s fs st r r' d L D). rewrite !andb_true_iff. cbn [today]. intros [H1 H2]. split; [lia|].
  revert H2. apply existsb_grows; auto. exact (past_grows Passing _ _ (pass_days fs st r r' L)).
Qed.
Lemma returned_eligible later n s w : returned later n s w = true -> eligible n s w = true.
Proof. unfold returned, eligible. destruct (day_zero s w); [|discriminate]. intros H. now apply andb_prop in H. Qed.
(** So a rate is at most 1. *)
Lemma rate_range (a b : Z) : 0 <= a <= b -> 0 < b -> 0 <= rdiv (a * scale) b <= scale.
Proof.
  intros H B. assert (rdiv (0 * b) b <= rdiv (a * scale) b) by (apply rdiv_mono; unfold scale; lia).
  assert (rdiv (a * scale) b <= rdiv (scale * b) b) by (apply rdiv_mono; auto; unfold scale; nia).
  now rewrite !rdiv_exact in *.
Qed.
End Retention.

Print Assumptions level_sound.
Print Assumptions hidden_sound.
Print Assumptions nearest_sound.
Print Assumptions group_kept.
Print Assumptions count_subjects_moves.
Print Assumptions subjects_sum_moves_sound.
Print Assumptions max_moves_sound.
Print Assumptions reached_subjects_sound.
Print Assumptions returned_kept.
