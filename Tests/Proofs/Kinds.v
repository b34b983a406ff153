(** The other kinds of metrics, and groups. *)

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
Theorem level_sound ts b good f :
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

(** LAW-03: a level of what has neither f nor v as days pass is kept, on each later day. *)
Theorem level_is_kept e ts :
  typed e -> is_bool e = false -> keeps false (passing (behaviour_of e)) ->
  forall fs s r r', r <= r' -> Sane (World fs s r) e -> Sane (World fs s r') e ->
    at_most false (level_value ts (eval (World fs s r) e)) (level_value ts (eval (World fs s r') e)).
Proof.
  intros T Nb K fs s r r' L S S'. destruct (expression_sound e T) as (_ & _ & H). rewrite Nb in H.
  specialize (H Passing _ _ (pass_days fs s r r' L) S S'). apply (kept false _ _ _ K) in H.
  destruct (eval (World fs s r) e) as [p|], (eval (World fs s r') e) as [q|]; cbn in *; try tauto; try lia.
  - now apply reached_by_mono.
  - now apply (reached_by_mono ts q q).
Qed.

(** ** `at least K`, `nearest N`, progress, groups *)

(** A value that is hidden, by whatever rule, and that nobody contributes to on no data. *)
Definition hidden_b b := B (or_none (vals b)) vnone all_moves all_moves.
(** Or whose group a subject may leave: by a metric of any value (GRP-07). *)
Definition grouped_b b := B (or_none (vals b)) (or_none (on_no_data b)) all_moves all_moves.
Lemma all_sound (bool : bool) u v (good : world -> Prop) f : (forall w, good w -> within u (f w)) ->
  (forall w, good w -> no_data w -> within v (f w)) -> sound bool (B u v all_moves all_moves) good f.
Proof. intros U W. split; [|split]; auto. intros ax w w' _ _ _. destruct ax, bool;
  apply all_ok || apply all_ok_number. Qed.
Theorem hidden_sound (bool : bool) b good f hides :
  sound bool b good f -> (forall w, no_data w -> hides w = true) ->
  sound bool (hidden_b b) good (fun w => if hides w then None else f w).
Proof.
  intros (H & _) N. apply all_sound; intros w G; [apply or_none_within; auto|intros D; now rewrite N].
Qed.
Theorem grouped_sound (bool : bool) b good f (leaves : world -> Datatypes.bool) :
  sound bool b good f -> sound bool (grouped_b b) good (fun w => if leaves w then None else f w).
Proof. intros (H1 & H2 & _). apply all_sound; intros; apply or_none_within; auto. Qed.
(** PRIV-15: the nearest multiple, halves away from 0. Its bounds are those of the rounded ends. *)
Definition nearest n z := rdiv z n * n.
Definition nearest_values n (v : values) :=
  V (may_none v) (may_present v) (if low v =? - limit then - limit else nearest n (low v))
    (if high v =? limit then limit else nearest n (high v)).
Definition nearest_b n b := map_b (nearest_values n) (fun m => m) b.
Lemma nearest_mono n p q : 0 < n -> p <= q -> nearest n p <= nearest n q.
Proof. intros N H. unfold nearest. apply Z.mul_le_mono_nonneg_r; [lia|]. apply rdiv_mono; [lia|lia|nia]. Qed.
Theorem nearest_sound n b (good : world -> Prop) f :
  0 < n -> (forall w, good w -> fits (option_map (nearest n) (f w))) -> sound false b good f ->
  sound false (nearest_b n b) good (fun w => option_map (nearest n) (f w)).
Proof.
  intros N F H. apply (map_sound good false false _ _ b f (option_map (nearest n)) H).
  - intros u w G W. specialize (F w G). destruct (f w) as [p|]; cbn in *; auto. destruct W as [-> W]. split; auto.
    pose proof (nearest_mono n (low u) p N ltac:(lia)). pose proof (nearest_mono n p (high u) N ltac:(lia)).
    destruct (low u =? - limit), (high u =? limit); lia.
  - intros m w w' _ _ Hm. apply (ok_monotone (nearest n)); auto using nearest_mono.
Qed.

(** The part `fraction` of a progress, and the rows of what is read of a completion, from those of its `when`; for the
    comparison, these are of completions without `rest when` and without what presence says of several records. *)
Definition fraction_b (whole : bool) x y := tidied false
  (combine (fun u v => vdiv u v (if whole then scale else 1)) (quotient_moves (vals x) (vals y)) x y).
Theorem fraction_sound (whole : bool) x y (good : world -> Prop) f g :
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
  | _, FirstDay all => held_row false f all
  | _, LastDay all => held_row true f all
  end.

(** A group has a row where a fact passes one of its aggregates: rows stay when facts are added, and what is known
    with a fact is known of each row. No row lies below every number. *)
Theorem group_kept (bool : bool) b (good has_row : world -> Prop) f :
  sound bool b (fun w => good w /\ has_row w) f -> keeps bool (added b) ->
  forall w w', step Added w w' -> good w -> good w' -> has_row w -> has_row w' -> at_most bool (f w) (f w').
Proof. intros (_ & _ & H) K w w' S G G' R R'. apply (kept _ _ _ _ K). now apply (H Added). Qed.
Lemma group_row_stays keeps_fact w w' : step Added w w' ->
  (exists f, In f (facts w) /\ keeps_fact f (today w) = true) ->
  exists f, In f (facts w') /\ keeps_fact f (today w') = true.
Proof.
  intros S (f & I & K). inversion S as [fs gs s r W|]; subst. exists f. split; auto. apply (within_incl _ _ W), I.
Qed.

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
Theorem reached_subjects_sound (subjects : list Z) (reached : Z -> world -> bool) :
  (forall s ax w w', step ax w w' -> reached s w = true -> reached s w' = true) ->
  (forall s w, no_data w -> reached s w = false) ->
  let f := fun w => Some (scale * size (filter (fun s => reached s w) subjects)) in
  sound false (windows_row limit false (M true false false false)) (fun w => fits (f w)) f.
Proof.
  intros H N f. assert (Up : forall ax w w', step ax w w' -> scale * size (filter (fun s => reached s w) subjects)
      <= scale * size (filter (fun s => reached s w') subjects)).
  { intros ax w w' S. apply Z.mul_le_mono_nonneg_l; [discriminate|]. apply within_length, within_filter;
      [apply within_refl|]. intros s. now apply (H s ax). }
  apply (grows_sound (fun w => scale * size (filter (fun s => reached s w) subjects)) limit false true);
    [| |intros _ w w' S _ _; exact (Up Added w w' S)|intros _ w w' S _ _; exact (Up Passing w w' S)].
  - intros w F. cbn in F. unfold size, scale in *. lia.
  - intros w D. replace (filter _ _) with (@nil Z); [reflexivity|].
    clear - N D. induction subjects as [|s ss IH]; cbn; auto. rewrite N; auto.
Qed.
End Funnel.

(** ** Retention: eligible and returned are kept as days pass (RET-01 to RET-04) *)
Section Retention.
Variables (starts returns : Z -> fact -> bool).
Definition day_zero s w : value := extreme false (map on (filter (starts s) (past w))).
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
  unfold day_zero. set (days v := map on (filter (starts s) (past v))). intros L D.
  assert (B : forall z, In z (days (World fs st r)) <-> In z (days (World fs st r')) /\ z <= r).
  { intros z. unfold days, past. rewrite !in_map_iff. setoid_rewrite filter_In. setoid_rewrite filter_In. cbn.
    split; [intros (f & <- & (I & K) & C)|intros [(f & <- & (I & K) & C) Le]]; try split; try exists f; intuition lia. }
  destruct (extreme_some false (days (World fs st r')) d) as [q Q]; [apply B, (extreme_in _ _ _ D)|].
  rewrite (first_stays r _ _ d q B D Q). exact Q.
Qed.
Lemma eligible_kept n s fs st r r' : r <= r' -> eligible n s (World fs st r) = true ->
  eligible n s (World fs st r') = true.
Proof.
  unfold eligible. intros L. destruct (day_zero s (World fs st r)) as [d|] eqn:D; [|discriminate].
  rewrite (day_zero_kept s fs st r r' d L D). cbn. lia.
Qed.
Theorem returned_kept later n s fs st r r' :
  r <= r' -> returned later n s (World fs st r) = true -> returned later n s (World fs st r') = true.
Proof.
  unfold returned. intros L. destruct (day_zero s (World fs st r)) as [d|] eqn:D; [|discriminate].
  rewrite (day_zero_kept s fs st r r' d L D). rewrite !andb_true_iff. cbn [today]. intros [H1 H2]. split; [lia|].
  revert H2. apply existsb_grows; auto. exact (past_grows Passing _ _ (pass_days fs st r r' L)).
Qed.
(** So a rate is a part of a whole ([part_range]). *)
Lemma returned_eligible later n s w : returned later n s w = true -> eligible n s w = true.
Proof. unfold returned, eligible. destruct (day_zero s w); [|discriminate]. intros H. now apply andb_prop in H. Qed.
End Retention.
