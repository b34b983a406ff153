(** The analysis proves what it says: every expression, the leaves, and the laws. *)

From Metricc Require Export Rules.

(** * Every expression *)

(** With a dataset, the promise covers its settings alone and no data. *)
Definition closed (good : world -> Prop) :=
  forall w, good w -> good (World [] (settings w) (today w)) /\ good (World [] [] (today w)).

Lemma nothing_within {A} (l : list A) : within_list [] l.
Proof. induction l; constructor; auto. Qed.

(** Facts are added to no data. *)
Lemma at_start_sound start (bool : bool) b good f :
  closed good -> (start = true -> no_settings f) -> sound bool b good f -> sound bool (at_start start bool b) good f.
Proof.
  intros C N (H1 & H2 & H3). unfold at_start.
  destruct (start && negb bool && _ && _ && _) eqn:E; [|repeat split; auto].
  rewrite !andb_true_iff, !negb_true_iff in E. destruct E as ((((-> & ->) & E1) & E2) & E3).
  repeat split; auto. intros [fs s r] G. destruct (C _ G) as [G1 G2]. cbn in G1, G2.
  specialize (H3 Added _ _ (add_facts [] fs s r (nothing_within fs)) G1 G). cbn [ok moves_of] in H3.
  specialize (H2 _ G2 (conj eq_refl eq_refl)). rewrite (N eq_refl [] s [] r) in H3. specialize (H1 _ G).
  destruct (f (World [] [] r)) as [p|]; cbn in H2; [|congruence].
  destruct (f (World fs s r)) as [q|]; cbn in *; [|congruence].
  destruct H3 as [_ H3]. destruct (Z_lt_dec q p); [rewrite H3 in E2 by auto; discriminate|]. intuition lia.
Qed.
Lemma finish_sound start (bool : bool) b good f :
  closed good -> (start = true -> no_settings f) -> (bool = true -> bools good f) ->
  sound bool b good f -> sound bool (finish start bool b) good f.
Proof. intros C N T H. apply tidied_sound; auto. now apply at_start_sound. Qed.

(** LAW-11, LAW-08: a value depends on nothing but its leaves, of which none reads what is derived by name (CHK-08). *)
Theorem only_leaves_count w w' e : (forall s, In s (leaves e) -> src_value s w = src_value s w') -> eval w e = eval w' e.
Proof.
  induction e; cbn [leaves eval]; intros H; [auto|apply H; now left|..];
    rewrite ?IHe, ?IHe1, ?IHe2, ?IHe3 by (intros; apply H; rewrite ?in_app_iff; auto); auto.
Qed.
Lemma typed_leaves e s : typed e -> In s (leaves e) -> proved s.
Proof.
  induction e; cbn [typed leaves]; rewrite ?in_app_iff; intros T I; try (now destruct I); try (destruct I; now subst);
    hyps; intuition.
Qed.
Lemma reads_no_settings_sound e : typed e -> reads_no_settings e = true -> no_settings (fun w => eval w e).
Proof.
  intros T H fs s s' r. apply only_leaves_count. intros l I. destruct (typed_leaves e l T I) as (_ & _ & N & _).
  unfold reads_no_settings in H. rewrite forallb_forall in H. now apply N, H.
Qed.
Lemma bool_sane w e : typed e -> sane w e -> is_bool e = true -> bool_value (eval w e).
Proof.
  unfold is_bool, type_is_bool, bool_value.
  induction e; cbn [sane type typed eval]; intros; hyps; try discriminate;
    try (unfold is_number in *; destruct (type _); discriminate).
  - destruct t; try discriminate. assumption.
  - destruct (src_type s); try discriminate. assumption.
  - destruct (eval w e1), (eval w e2); cbn; auto. destruct (holds _ _ _); auto.
  - unfold kand. destruct (_ || _); auto. destruct (_ && _); auto.
  - unfold kor, kand. destruct (_ || _); cbn; auto. destruct (_ && _); cbn; auto.
  - destruct IHe as [E|[E|E]]; auto; rewrite E; cbn; auto.
  - destruct (eval w e); cbn; auto.
  - destruct (eval w e); cbn; auto. destruct (_ =? _); auto.
  - destruct (eval w e); cbn; auto. destruct (existsb _ _); auto.
  - destruct (is (eval w e1) scale); [apply IHe2|apply IHe3]; auto.
    match goal with E : type e2 = type e3 |- _ => now rewrite <- E end.
Qed.

Lemma never_meet_sound a b x y w p q :
  typed a -> typed b -> sane w a -> sane w b -> within x (eval w a) -> within y (eval w b) ->
  eval w a = Some p -> eval w b = Some q -> never_meet a b x y = true -> p <> q.
Proof.
  intros Ta Tb Sa Sb Hx Hy Ea Eb H <-. rewrite Ea, Eb in *. unfold never_meet in H.
  destruct Hx as [Px Hx], Hy as [Py Hy]. rewrite Px, Py in H. rewrite orb_true_iff in H.
  destruct H as [H|H]; rewrite ?andb_true_iff, !negb_true_iff in H.
  - destruct H as [H H']. replace (low y) with p in H' by lia. rewrite (can_be_sound w a p) in H'; auto. discriminate.
  - destruct H as [H H']. replace (low x) with p in H' by lia. rewrite (can_be_sound w b p) in H'; auto. discriminate.
Qed.
Lemma day_reach w a z : typed a -> sane w a -> eval w a = Some z -> reaches (days_back a) (today w) z.
Proof. destruct a; cbn; auto. intros (_ & _ & _ & L) (_ & S & _) E. now apply L. Qed.
Lemma not_after_sound w a b p q :
  typed a -> typed b -> sane w a -> sane w b -> eval w a = Some p -> eval w b = Some q -> not_after a b = true ->
    p <= q.
Proof.
  intros Ta Tb Sa Sb Ea Eb. pose proof (day_reach w a p Ta Sa Ea) as A. pose proof (day_reach w b q Tb Sb Eb) as B.
  unfold not_after, reaches in *. destruct (days_back a), (days_back b) as [[[]|]|]; try discriminate. lia.
Qed.
Lemma by_order_sound c a b x y w p q t :
  typed a -> typed b -> sane w a -> sane w b -> within x (eval w a) -> within y (eval w b) ->
  by_order c a b x y = Some t -> eval w a = Some p -> eval w b = Some q -> holds c p q = t.
Proof.
  intros Ta Tb Sa Sb Hx Hy H Ea Eb. unfold by_order in H.
  pose proof (never_meet_sound a b x y w p q Ta Tb Sa Sb Hx Hy Ea Eb) as N.
  pose proof (not_after_sound w a b p q Ta Tb Sa Sb Ea Eb) as A.
  pose proof (not_after_sound w b a q p Tb Ta Sb Sa Eb Ea) as A'.
  rewrite Ea, Eb in *. destruct Hx as [_ Hx], Hy as [_ Hy].
  destruct c; repeat match type of H with (if ?b then _ else _) = _ => destruct b eqn:? end; try discriminate;
    injection H as <-; cbn; rewrite ?orb_true_iff, ?andb_true_iff in *; hyps; try assert (p <> q) by auto;
    try lia; destruct Heqb0; hyps; try lia; try (assert (p <= q) by auto; lia); assert (q <= p) by auto; lia.
Qed.
Lemma written_sound w e z : written e = Some z -> eval w e = Some z.
Proof. destruct e; try discriminate. now destruct t. Qed.
Lemma by_form_sound c a b x y w p q t :
  typed a -> typed b -> sane w a -> sane w b -> within x (eval w a) -> within y (eval w b) ->
  by_form c a b x y = Some t -> eval w a = Some p -> eval w b = Some q -> holds c p q = t.
Proof.
  intros Ta Tb Sa Sb Hx Hy H Ea Eb. unfold by_form in H. pose proof (written_sound w a) as A.
  pose proof (written_sound w b) as B. destruct (written a) as [u|], (written b) as [v|];
    [|now apply (by_order_sound c a b x y w)..].
  rewrite (A u) in Ea by auto. rewrite (B v) in Eb by auto. congruence.
Qed.

Lemma ordered_sound numbers c a b p q :
  low a <= p <= high a -> low b <= q <= high b -> holds (ordered numbers c a b) p q = holds c p q.
Proof.
  intros. destruct c; cbn; auto; destruct numbers; cbn [andb]; auto;
    destruct (high a <=? low b) eqn:?, (high b <=? low a) eqn:?; cbn; lia.
Qed.

(** ** x in [...] *)
Lemma member_b_sound (numbers bool : bool) ms can a (good : world -> Prop) f :
  sound bool a good f -> (bool = true -> bools good f) ->
  (numbers = true -> bool = false /\ forall w p, good w -> f w = Some p -> can p = true) ->
  sound true (tidied true (member_b numbers ms can a)) good (fun w => member ms (f w)).
Proof.
  intros H T C. unfold member_b. set (possible := negb _ || _).
  assert (N : possible = false ->
    bool = false /\ forall w p, good w -> f w = Some p -> existsb (Z.eqb p) ms = false).
  { unfold possible. rewrite orb_false_iff, negb_false_iff, andb_true_iff. intros [[Nu _] X].
    destruct (C Nu) as [Nb Can]. split; auto. intros w p G E. apply not_true_is_false. intros Q.
    apply existsb_exists in Q. destruct Q as (z & I & Q). apply Z.eqb_eq in Q. subst z.
    apply (not_true_iff_false (existsb _ ms)) in X. apply X, existsb_exists. exists p. split; auto.
    pose proof (proj1 H w G) as W. cbn beta in W. rewrite E in W. destruct W as [_ W]. rewrite (Can w p G E). lia. }
  clearbody possible. apply tidied_sound.
  - intros _ w G. unfold bool_value. destruct (f w); cbn; auto. destruct (existsb _ _); auto.
  - apply (map_sound good bool true _ _ a f (member ms) H).
    + intros u w G W. destruct (f w) as [p|] eqn:E; cbn in *; auto. destruct W as [W _]. split; auto.
      destruct possible; [destruct (existsb _ _); cbn; unfold scale; lia|].
      rewrite (proj2 (N eq_refl) w p G E). cbn. lia.
    + intros m w w' G G' Hm. cbn [ok]. destruct (if possible then _ else _) eqn:E; [|apply all_ok].
      destruct possible.
      * replace (f w') with (f w); [apply same_ok|]. destruct bool; [|now apply (empty_same m)].
        destruct (T eq_refl w G) as [E1|[E1|E1]], (T eq_refl w' G') as [E2|[E2|E2]]; rewrite E1, E2 in *; auto;
          destruct m as [r d x v], r, d, x, v; try discriminate E; unfold ok, ok_bool, is, truth, falsity, scale in Hm;
          cbn in Hm; intuition discriminate.
      * destruct N as [-> N]; auto. destruct (f w) as [p|] eqn:E1, (f w') as [q|] eqn:E2; cbn [member option_map];
          rewrite ?(N w p G E1), ?(N w' q G' E2); try apply same_ok; cbn in Hm;
          destruct m as [r d x v], x, v; discriminate.
Qed.

Definition both_sound good e :=
  sound (is_bool e) (fst (behaviours e)) good (fun w => eval w e)
  /\ sound true (snd (behaviours e)) good (fun w => is_none (eval w e)).

Lemma is_none_bool x : bool_value (is_none x).
Proof. unfold is_none, bool_value. destruct x; auto. Qed.
Lemma bool_is_none good f : bools good (fun w => is_none (f w)).
Proof. intros w G. apply is_none_bool. Qed.
(** `not x`, and a comparison with `false`. *)
Lemma not_sound b (good : world -> Prop) f : sound true b good f ->
  sound true (map_b vnot of_negation b) good (fun w => not (f w)).
Proof. intros H. apply (map_sound good true true _ _ b f not H); intros; [now apply vnot_sound|now apply not_moves].
  Qed.
Lemma difference_sound a b (good : world -> Prop) f g : (forall w, good w -> fits (sub (f w) (g w))) ->
  sound false a good f -> sound false b good g ->
  sound false (combine (fun x y => vadd x (vneg y)) (fun m n => union m (mirrored n)) a b) good
    (fun w => sub (f w) (g w)).
Proof.
  intros F A B. apply (combine_sound good false false false _ _ _ _ _ _ sub); auto; intros; rewrite !sub_is_add.
  - apply vadd_sound; auto; [now apply vneg_sound|]. rewrite <- sub_is_add. now apply F.
  - apply add_moves; auto. now apply neg_moves.
Qed.
Lemma is_none_compare c x y : kor (is_none x) (is_none y) = is_none (compare c x y).
Proof. destruct x, y; reflexivity. Qed.

(** An operator that has a value where its operand has. *)
Ltac same_none := match goal with |- sound _ _ ?good (fun w => is_none (eval w (_ ?e))) =>
  apply (sound_ext good true _ (fun w => is_none (eval w e))); auto; intros; cbn; destruct (eval _ e); reflexivity end.
Theorem behaviours_sound e good :
  typed e -> closed good -> (forall w, good w -> sane w e) -> both_sound good e.
Proof.
  intros T C. revert T. induction e; intros T S; unfold both_sound;
    pose proof (reads_no_settings_sound _ T) as RN;
    pose proof (fun b w G => bool_sane w _ T (S w G) b) as BB.
  all: match goal with |- sound (is_bool ?e) _ _ _ /\ _ =>
    assert (Out : forall b, sound (is_bool e) b good (fun w => eval w e) ->
      sound (is_bool e) (finish (reads_no_settings e) (is_bool e) b) good (fun w => eval w e)
      /\ sound true (is_none_b (is_bool e) (finish (reads_no_settings e) (is_bool e) b)) good
           (fun w => is_none (eval w e)))
      by (intros b H; pose proof (finish_sound _ _ b good _ C RN BB H); split; auto; now apply is_none_sound);
    assert (Truths : forall b n, is_bool e = true -> sound true b good (fun w => eval w e) ->
      sound true n good (fun w => is_none (eval w e)) ->
      sound (is_bool e) (tidied true b) good (fun w => eval w e)
      /\ sound true (tidied true n) good (fun w => is_none (eval w e)))
      by (intros b n E H1 H2; specialize (BB E); rewrite E; split; (apply tidied_sound; [intros _;
        first [exact BB|apply bool_is_none]|assumption])) end.
  all: cbn [typed] in T; cbn [behaviours fst snd].
  1: { assert (H : forall w, good w -> within (literal_values t x) x).
    { intros w G. destruct (S w G) as [F _]. destruct x as [z|], t; cbn in *; repeat split; auto; lia. }
    apply Out. split; [exact H|split; [intros; now apply (H w)|intros ax w w' _ _ _; destruct ax; apply ok_same]]. }
  1: { destruct T as (T1 & T2 & _). assert (L : forall w, good w -> loads s w) by (intros w G; apply S; auto).
    assert (M : forall bool b f, sound bool b (loads s) f -> sound bool b good f).
    { intros b0 b f (H1 & H2 & H3). split; [|split]; eauto. }
    split; [|now apply M]. apply (Out (row s)). now apply M. }
  all: repeat match goal with
    | H : _ /\ _ |- _ => destruct H
    | IH : typed ?a -> _, T : typed ?a |- _ =>
        let A := fresh "A" in let A' := fresh "A'" in
        destruct (IH T ltac:(intros w G; specialize (S w G); cbn [sane] in S; tauto)) as [A A']; clear IH
    end.
  all: repeat match goal with H : is_number _ = true |- _ => apply number_not_bool in H end.
  all: try match goal with E : is_bool ?a = _, A : sound (is_bool ?a) _ _ _ |- _ => rewrite E in A end.
  all: try match goal with E : is_bool ?a = _, A : sound (is_bool ?a) _ _ _ |- _ => rewrite E in A end.
  all: assert (F : forall w, good w -> fits (eval w _)) by (intros w G; apply (S w G)).
  all: try match goal with |- context [combine _ _ (fst (behaviours ?a)) (fst (behaviours ?b))] =>
    assert (Sa : forall w, good w -> sane w a) by (intros w G; specialize (S w G); cbn [sane] in S; tauto);
    assert (Sb : forall w, good w -> sane w b) by (intros w G; specialize (S w G); cbn [sane] in S; tauto);
    assert (Ba : is_bool a = true -> bools good (fun w => eval w a)) by (intros E w G; apply bool_sane; auto);
    assert (Bb : is_bool b = true -> bools good (fun w => eval w b)) by (intros E w G; apply bool_sane; auto) end.
  all: try match goal with |- sound (is_bool ?e) (finish _ _ _) _ _ /\ _ => apply Out;
    first [replace (is_bool e) with false by (symmetry; first [reflexivity|assumption])
          |replace (is_bool e) with true by reflexivity] end.
  - apply (combine_sound good false false false); auto; intros; [apply vadd_sound; auto;
      now apply F|now apply add_moves].
  - now apply (difference_sound _ _ good (fun w => eval w e1) (fun w => eval w e2)).
  - apply (combine_sound good false false false); auto; intros;
      [apply vmul_sound; auto; now apply F|now apply product_moves_sound].
  - apply (combine_sound good false false false); auto; intros;
      [apply vdiv_sound; auto using step_of_pos, step_sound; now apply F|now apply quotient_moves_sound].
  - apply (map_sound good false false _ _ _ (fun w => eval w e) (option_map Z.opp)); auto; intros;
      [|now apply neg_moves].
    specialize (F w H1). cbn [eval] in F. pose proof (vneg_sound u _ H2) as W.
    replace (option_map Z.opp (eval w e)) with (add (Some 0) (option_map Z.opp (eval w e)))
      by (destruct (eval w e); reflexivity).
    apply vadd_sound; auto; [cbn; split; auto; lia|]. destruct (eval w e); exact F.
  - apply (map_sound good false false _ _ _ (fun w => eval w e) floor); auto; intros;
      [apply vfloor_sound; auto; now apply F|apply (ok_monotone floor_z); auto using floor_mono].
  - assumption.
  - apply (combine_sound good false false false); auto; intros; [now apply vleast_sound|now apply least_moves].
  - apply (combine_sound good false false false); auto; intros; [now apply vgreatest_sound|now apply greatest_moves].
  - apply Truths; auto.
    + assert (O : forall w p q, good w -> eval w e1 = Some p -> eval w e2 = Some q ->
        holds (ordered (is_number e1) c (vals (fst (behaviours e1))) (vals (fst (behaviours e2)))) p q = holds c p q).
      { intros w p q G E1 E2. apply ordered_sound; [pose proof (proj1 A0 w G) as W; cbn in W; rewrite E1 in W
          |pose proof (proj1 A w G) as W; cbn in W; rewrite E2 in W]; apply W. }
      eapply sound_ext; [|apply compare_b_sound; [|exact A0|exact A]].
      { intros w G. cbn [eval]. destruct (eval w e1) as [p|] eqn:E1, (eval w e2) as [q|] eqn:E2; cbn; auto.
        now rewrite (O w p q G E1 E2). }
      intros t Ht w p q G E1 E2. cbn beta in *. rewrite (O w p q G E1 E2). revert E1 E2.
      destruct (S w G) as (_ & Sa & Sb).
      apply (by_form_sound c e1 e2 (vals (fst (behaviours e1))) (vals (fst (behaviours e2))) w p q t); auto;
        [apply (proj1 A0)|apply (proj1 A)]; auto.
    + apply (sound_ext good true _ (fun w => kor (is_none (eval w e1)) (is_none (eval w e2))));
        [intros; apply is_none_compare|].
      apply (combine_sound good true true true); auto; intros; [apply vor_sound|apply or_moves];
        auto using is_none_bool.
  - apply (combine_sound good true true true); auto; intros; [apply vand_sound|apply and_moves]; try apply Ba;
      try apply Bb; auto.
  - apply (combine_sound good true true true); auto; intros; [apply vor_sound|apply or_moves]; try apply Ba;
      try apply Bb; auto.
  - apply Truths; auto; [now apply (not_sound _ good (fun w => eval w e))|same_none].
  - assumption.
  - assert (B1 : is_bool e1 = false) by (unfold is_bool; now rewrite H1).
    assert (B2 : is_bool e2 = false) by (unfold is_bool; now rewrite H2). rewrite B1, B2 in *.
    assert (D := difference_sound _ _ good (fun w => eval w e1) (fun w => eval w e2) F A0 A).
    destruct D as (D1 & D2 & D3). split; [|split; [|exact D3]]; intros w G; [specialize (D1 w G)|
      intros N; specialize (D2 w G N)]; specialize (F w G); destruct (S w G) as (_ & Sa & Sb);
      cbn [eval] in *; destruct (eval w e1) as [p|] eqn:E1, (eval w e2) as [q|] eqn:E2;
      cbn -[combine not_after limit] in *; auto; split; try tauto.
    pose proof (day_reach w e1 p H Sa E1) as R1. pose proof (day_reach w e2 q H0 Sb E2) as R2.
    pose proof (not_after_sound w e2 e1 q p H0 H Sb Sa E2 E1) as O. unfold reaches, scale in *.
    destruct (not_after e2 e1); [specialize (O eq_refl)|];
      destruct (days_back e1) as [[]|], (days_back e2) as [[]|]; lia.
  - apply Truths; auto; [|same_none].
    assert (Be : bools good (fun w => eval w e)) by (intros w G; apply bool_sane; auto; apply (S w G)).
    destruct truth.
    + apply (sound_ext good true _ (fun w => eval w e)); auto. intros w G.
      destruct (Be w G) as [E|[E|E]]; cbn; rewrite E; reflexivity.
    + apply (sound_ext good true _ (fun w => not (eval w e)));
        [intros w G; destruct (Be w G) as [E|[E|E]]; cbn; rewrite E; reflexivity|].
      now apply (not_sound _ good (fun w => eval w e)).
  - assert (Sa : forall w, good w -> sane w e) by (intros w G; apply (S w G)).
    split.
    + assert (M : sound true (tidied true (member_b (is_number e) members (can_be e) (fst (behaviours e))))
        good (fun w => eval w (Among members e))).
      { apply (member_b_sound _ false); auto; [discriminate|]. eauto using can_be_sound. }
      destruct (written e) as [z|] eqn:W; [|exact M]. apply tidied_sound; [intros _; exact (BB eq_refl)|].
      split; [|split]; intros; cbn [eval]; rewrite ?(written_sound _ e z W); try apply (ok_same true);
        cbn -[of_bool]; split; auto; lia.
    + apply tidied_sound; [intros _; apply bool_is_none|]. same_none.
  - assert (E : is_bool (If e1 e2 e3) = is_bool e2) by reflexivity.
    assert (E' : is_bool (If e1 e2 e3) = is_bool e3) by (rewrite E; unfold is_bool; now rewrite H3).
    match goal with A : sound (is_bool e2) _ _ _ |- _ => rewrite <- E in A end.
    match goal with A : sound (is_bool e3) _ _ _ |- _ => rewrite <- E' in A end.
    assert (Bc : bools good (fun w => eval w e1)) by (intros w G; apply bool_sane; auto; apply (S w G)).
    split; [|apply tidied_sound; [intros _; apply bool_is_none|]].
    + apply finish_sound; auto.
      apply (if_sound good _ _ _ _ _ (fun w => eval w e1) (fun w => eval w e2) (fun w => eval w e3)); auto.
      intros Q. split; intros w G; apply bool_sane; auto; try apply (S w G); congruence.
    + apply (sound_ext good true _ (fun w => pick (eval w e1) (is_none (eval w e2)) (is_none (eval w e3)))).
      * intros w G. unfold pick. cbn [eval]. destruct (is (eval w e1) scale); reflexivity.
      * apply (if_sound good true _ _ _ _ (fun w => eval w e1)); auto. intros _. split; apply bool_is_none.
Qed.

(** * Leaves with a proved row: aggregates, `day`, fields of the subject, other metrics, also on an earlier day *)

Lemma leaf_closed l : closed (leaf_sane l).
Proof.
  assert (K : forall w w', today w' = today w -> records_of l w' = records_of l w \/ records_of l w' = [] ->
    leaf_sane l w -> leaf_sane l w').
  { intros w w' D [E|E] (H1 & H2 & Hb & T & R & F); unfold leaf_sane in *; revert H1 T F; by_seen; rewrite E, D;
    [tauto|].
    cbn. intros _ T _. split; [intros z []|]. repeat (split; [assumption|]).
    split; [intros B; destruct (T B) as [P _]; split; auto; left; now destruct (fn l)|].
    split; auto. destruct (fn l); cbn; unfold limit, scale; auto; lia. }
  intros [fs s r] H. split; apply (K (World fs s r)); auto; unfold records_of; cbn; destruct (of_setting l); auto.
Qed.
Theorem leaf_proved l : proved (leaf_source l).
Proof.
  assert (H : sound (leaf_is_bool l) (leaf_behaviour l) (leaf_sane l) (leaf_value l)).
  { split; [apply leaf_within|split; [intros; now apply leaf_on_no_data|]]. intros. now apply leaf_moves. }
  assert (N : negb (of_setting l) = true -> no_settings (leaf_value l)).
  { rewrite negb_true_iff. intros P fs s s' r. now apply leaf_plain. }
  split; [exact H|split; [|split]]; cbn [plain leaf_source src_value none_row loads least_part reach]; auto.
  - destruct (leaf_is_bool l) eqn:B; (apply is_none_sound; [discriminate|]);
      [|apply finish_sound; auto using leaf_closed; discriminate].
    apply tidied_sound; [discriminate|]. destruct H as (H1 & H2 & H3). split; [exact H1|split; [exact H2|]].
    intros ax w w' S G G'. destruct ax; [|apply all_ok_number]. cbn [moves_of added ok].
    destruct (of_setting l) eqn:Os; [rewrite (same_settings l w w' S Os); apply same_number|].
    destruct G as (_ & _ & _ & T & _). destruct (T B) as [P _].
    pose proof (seen_grows l Added w w' S (or_intror eq_refl)) as Gr.
      apply (within_flat_map (arg l)), within_incl in Gr.
    unfold leaf_value. destruct (fn l); try discriminate; now apply earliest_grows.
  - intros w z (F & _ & Hb & _) E. unfold leaf_value in E. split.
    + intros P. destruct (fn l); try lia. injection E as <-. destruct (Z_le_dec (from l) 0); [lia|].
      destruct (elements l w) as [|x xs]; [cbn in P; lia|]. change (total (x :: xs)) with (x + total xs).
      pose proof (F x (in_eq x xs)). pose proof (total_between xs 0 (to l)) as B.
      specialize (B ltac:(intros y Hy; specialize (F y (in_cons x y xs Hy)); lia)). unfold size in B. lia.
    + destruct (fn l); cbn; auto; apply extreme_in in E; apply in_map_iff in E;
      destruct E as (f & <- & I); apply filter_In in I; destruct I as [_ I]; apply andb_prop in I; destruct I as [_ I];
      (split; [unfold in_period in I; apply andb_prop in I; unfold scale; lia|]);
      destruct (back l); auto; specialize (Hb _ I); unfold scale; lia.
Qed.

Lemma Sane_closed e : closed (fun w => Sane w e).
Proof. intros w (H1 & H2 & H3). cbn. unfold Sane. cbn. auto. Qed.

Lemma plain_proved t back b f (good : world -> Prop) :
  sound (type_is_bool t) b good f -> (type_is_bool t = true -> bools good f) -> no_settings f ->
  (forall w z, good w -> f w = Some z -> reaches back (today w) z) -> proved (plain_source t back b f good).
Proof.
  intros H T N R. split; [exact H|split; [|split]]; cbn; auto.
  - apply is_none_sound; auto. now apply tidied_sound.
  - intros w z G E. split; [lia|eauto].
Qed.
Lemma field_sound (bool : bool) (x : value) v : sound bool (constant v) (fun _ => within v x) (fun _ => x).
Proof. split; [|split]; auto. intros ax w w' _ _ _. destruct ax; apply ok_same. Qed.
Lemma field_proved t v x : (t = TBool -> bool_value x) -> proved (field_source t v x).
Proof.
  intros T. apply plain_proved; cbn; auto using field_sound.
  - intros B w _. apply T. now destruct t. - now intros fs s s' r.
Qed.
Lemma day_proved : proved day_source.
Proof.
  apply plain_proved.
  - split; [|split]; cbn; auto. intros ax w w' S G G'. destruct S; cbn; split; auto; unfold scale; lia.
  - discriminate.
  - now intros fs s s' r.
  - intros w z _ E. assert (H : z = scale * today w) by (unfold day_value in E; congruence). rewrite H.
    split; [apply Z.le_refl|]. rewrite Z.sub_0_r. apply Z.le_refl.
Qed.
(** A metric that may leave the subject out, by its entities, has the row of its value or is none. *)
Definition or_none v := V true (may_present v) (low v) (high v).
Definition left_out b := B (or_none (vals b)) (or_none (on_no_data b)) (added b) (passing b).
Lemma or_none_within v (out : bool) x : within v x -> within (or_none v) (if out then None else x).
Proof. destruct out, x; cbn; auto. Qed.
Lemma left_out_sound (bool out : bool) b (good : world -> Prop) f :
  sound bool b good f -> sound bool (left_out b) good (fun w => if out then None else f w).
Proof.
  intros (H1 & H2 & H3). split; [|split]; intros; try (apply or_none_within; auto).
  specialize (H3 ax w w' H H0 H4). destruct out; [|destruct ax; exact H3]. destruct ax; apply ok_same.
Qed.
(** `offset`: an earlier day, by any number of days or months (OPD-03), which never goes back as days pass. *)
Definition on_day (g : Z -> Z) w := World (facts w) (settings w) (g (today w)).
Lemma offset_sound (bool : bool) g b (good : world -> Prop) f :
  (forall r r', r <= r' -> g r <= g r') -> sound bool b good f ->
  sound bool b (fun w => good (on_day g w)) (fun w => f (on_day g w)).
Proof.
  intros Hg (H1 & H2 & H3). split; [|split]; auto. intros ax w w' S. apply H3.
  destruct S; constructor; auto.
Qed.

(** * The laws, of any value with a proved row *)

(** Below every number lies none, and below truth all else (LAW-01). *)
Definition at_most (bool : bool) (x y : value) : Prop :=
  if bool then is x scale = true -> is y scale = true
  else match x, y with None, _ => True | Some _, None => False | Some p, Some q => p <= q end.
Definition keeps (bool : bool) m := falls m = false /\ (bool = false -> vanishes m = false).

Lemma kept (bool : bool) m x y : keeps bool m -> ok bool m x y -> at_most bool x y.
Proof.
  intros [F V] H. destruct bool; cbn [ok at_most] in *.
  - intros E. destruct (is y scale) eqn:E'; auto. destruct H as (_ & H & _). rewrite (H E E') in F. discriminate.
  - destruct x as [p|], y as [q|]; cbn in *; auto; [|rewrite V in H by auto; discriminate].
    destruct (Z_lt_dec q p); [|lia]. rewrite (proj2 H) in F by auto. discriminate.
Qed.

Lemma expression_sound e : typed e -> sound (is_bool e) (behaviour_of e) (fun w => Sane w e) (fun w => eval w e).
Proof. intros T. apply (behaviours_sound e _ T (Sane_closed e)). now intros w []. Qed.

(** LAW-01: logging never lowers. *)
Theorem logging_never_lowers e :
  typed e -> keeps (is_bool e) (added (behaviour_of e)) ->
  forall fs gs s r, within_list fs gs -> Sane (World fs s r) e -> Sane (World gs s r) e ->
    at_most (is_bool e) (eval (World fs s r) e) (eval (World gs s r) e).
Proof.
  intros T K fs gs s r W S S'. apply (kept _ _ _ _ K). destruct (expression_sound e T) as (_ & _ & H).
  apply (H Added); auto. now constructor.
Qed.
(** LAW-02: never below what it is without any facts but settings, and never below 0. *)
Theorem never_below_no_data e :
  typed e -> keeps (is_bool e) (added (behaviour_of e)) ->
  forall fs s r, Sane (World fs s r) e -> at_most (is_bool e) (eval (World [] s r) e) (eval (World fs s r) e).
Proof.
  intros T K fs s r S. apply logging_never_lowers; auto using nothing_within. now apply Sane_closed in S.
Qed.
Theorem never_below_zero e :
  typed e -> 0 <= low (vals (behaviour_of e)) -> forall w p, Sane w e -> eval w e = Some p -> 0 <= p.
Proof.
  intros T L w p S E. destruct (expression_sound e T) as (H & _). specialize (H w S). cbn beta in H. rewrite E in H.
  destruct H. lia.
Qed.

(** The hypotheses can be met: a count of facts, on a dataset with one. *)
Example a_count : expr := Src (leaf_source
  (Leaf_ Count false (fun _ => true) (fun _ => [scale]) (fun _ => 0) None None None scale scale TInt)).
Example a_count_never_falls : typed a_count /\ keeps (is_bool a_count) (added (behaviour_of a_count)).
Proof. split; [apply leaf_proved|split; reflexivity]. Qed.
Example a_count_is_sane : Sane (World [Fact 1 0] [] 1) a_count.
Proof.
  assert (K : forall fs, fs = [] \/ fs = [Fact 1 0] -> sane (World fs [] 1) a_count).
  { intros fs [-> | ->]; cbn; unfold leaf_sane, limit, scale; cbn; repeat split; try lia; try discriminate;
      repeat constructor; cbn; lia. }
  split; [|split]; apply K; auto.
Qed.
