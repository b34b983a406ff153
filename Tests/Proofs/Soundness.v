(** The analysis proves what it says: the rows put together. *)

From Metricc Require Export Core.

Section Rules.
Variable good : world -> Prop.
Implicit Types f g h : world -> value.

Definition bools f := forall w, good w -> bool_value (f w).

Lemma combine_sound (bool bool' bool'' : bool) V M a b f g (op : value -> value -> value) :
  sound bool a good f -> sound bool' b good g ->
  (forall u v w, good w -> within u (f w) -> within v (g w) -> within (V u v) (op (f w) (g w))) ->
  (forall m n w w', good w -> good w' -> within (vals a) (f w) -> within (vals a) (f w') ->
    within (vals b) (g w) -> within (vals b) (g w') -> ok bool m (f w) (f w') -> ok bool' n (g w) (g w') ->
    ok bool'' (M m n) (op (f w) (g w)) (op (f w') (g w'))) ->
  sound bool'' (combine V M a b) good (fun w => op (f w) (g w)).
Proof.
  intros (A1 & A2 & A3) (B1 & B2 & B3) HV HM. split; [|split].
  - intros w G. apply HV; auto.
  - intros w G N. apply HV; auto.
  - intros ax w w' S G G'. specialize (A3 _ _ _ S G G'). specialize (B3 _ _ _ S G G').
    destruct ax; apply HM; auto.
Qed.

Lemma map_sound (bool bool' : bool) V M a f (op : value -> value) :
  sound bool a good f ->
  (forall u w, good w -> within u (f w) -> within (V u) (op (f w))) ->
  (forall m w w', good w -> good w' -> ok bool m (f w) (f w') -> ok bool' (M m) (op (f w)) (op (f w'))) ->
  sound bool' (map_b V M a) good (fun w => op (f w)).
Proof.
  intros (A1 & A2 & A3) HV HM. split; [|split].
  - intros w G. apply HV; auto.
  - intros w G N. apply HV; auto.
  - intros ax w w' S G G'. specialize (A3 _ _ _ S G G'). destruct ax; apply HM; auto.
Qed.

Lemma is_none_sound (bool : bool) a f :
  (bool = true -> bools f) -> sound bool a good f ->
  sound true (is_none_b bool a) good (fun w => is_none (f w)).
Proof.
  intros T Ha. apply tidied_sound.
  - intros _ w G. unfold is_none, bool_value. destruct (f w); auto.
  - apply (map_sound bool true none_values (none_moves_of bool) a f is_none Ha).
    + intros u w G. unfold is_none, within, none_values, truth, falsity. destruct (f w); cbn;
        [intros [-> _]|intros ->]; split; auto; destruct (may_none u), (may_present u); unfold scale; lia.
    + intros m w w' G G' H. unfold none_moves_of. destruct bool; cbn [ok] in H.
      * destruct (T eq_refl w G) as [E|[E|E]], (T eq_refl w' G') as [F|[F|F]]; rewrite E, F in *;
          unfold ok, ok_bool, is_none, truth, falsity in *; cbn in *; rewrite ?orb_true_iff; intuition.
      * destruct (f w), (f w'); unfold ok, ok_bool, is_none, truth, falsity, ok_number in *; cbn in *;
          intuition discriminate.
Qed.

Lemma settle_sound (bool : bool) decided b f :
  sound bool b good f ->
  sound bool (B (vals b) (settle decided (vals b) (on_no_data b)) (added b) (passing b)) good f.
Proof.
  intros (H1 & H2 & H3). split; [exact H1|split; [|exact H3]].
  intros w G N. specialize (H1 w G). specialize (H2 w G N). cbn [on_no_data]. unfold settle.
  destruct (decided && _); auto. destruct (f w); cbn in *; tauto.
Qed.

Lemma compare_b_sound numbers c a b f g :
  sound false a good f -> sound false b good g ->
  sound true (compare_b numbers c a b) good (fun w => compare c (f w) (g w)).
Proof.
  intros Ha Hb. apply tidied_sound.
  - intros _ w G. unfold bool_value. destruct (f w), (g w); cbn; auto. destruct (holds _ _ _); auto.
  - apply settle_sound. apply (combine_sound false false true); auto.
    + intros. now apply vcompare_sound.
    + intros. cbn [ok] in *. apply fixed_moves_sound; auto; try now apply vcompare_sound.
      now apply compare_moves_sound.
Qed.

Definition pick (x y z : value) := if is x scale then y else z.

Lemma certainty_true v x : certainty v = Some true -> within v x -> bool_value x -> is x scale = true.
Proof.
  unfold certainty, within. destruct v as [n p l h]; cbn.
  destruct (negb p || (h =? 0)) eqn:E; [discriminate|].
  destruct (negb n && (l =? scale)) eqn:F; [|discriminate]. intros _.
  apply andb_prop in F. destruct F as [F1 F2]. apply Z.eqb_eq in F2. subst.
  destruct n; [discriminate|]. intros H [->|[->| ->]]; cbn in *; try discriminate; auto.
  unfold scale in *. lia.
Qed.
Lemma certainty_false v x : certainty v = Some false -> within v x -> is x scale = false.
Proof.
  unfold certainty, within. destruct v as [n p l h]; cbn.
  destruct (negb p || (h =? 0)) eqn:E; [|destruct (negb n && (l =? scale)); discriminate].
  intros _. destruct x as [z|]; cbn; auto. intros [-> H]. cbn in E. apply Z.eqb_eq in E.
  apply Z.eqb_neq. unfold scale. lia.
Qed.

Lemma choose_sound c a b x y z :
  bool_value x -> within c x -> within a y -> within b z -> within (choose c a b) (pick x y z).
Proof.
  intros B Hc Ha Hb. unfold choose, pick. destruct (certainty c) as [[]|] eqn:E.
  - now rewrite (certainty_true c x).
  - now rewrite (certainty_false c x).
  - destruct (is x scale); [now apply union_left|now apply union_right].
Qed.

Lemma crossing_sound (bool number : bool) u v x y :
  (bool = true -> bool_value x /\ bool_value y) -> within u x -> within v y ->
  ok bool (crossing bool number u v) x y.
Proof.
  intros T Hx Hy. unfold crossing. destruct bool; cbn [ok].
  - destruct (T eq_refl) as [Bx By]. destruct u as [un up ul uh], v as [vn vp vl vh].
    unfold ok_bool, bool_value, truth, falsity in *; bits.
    rewrite !andb_true_iff, !orb_true_iff, !negb_true_iff, !Z.leb_le, !Z.eqb_neq.
    destruct Bx as [->|[->| ->]], By as [->|[->| ->]]; cbn in *; unfold scale in *;
      repeat split; try discriminate; try lia; intuition.
  - unfold ok_number, within in *. destruct x as [p|], y as [q|]; bits;
      rewrite ?andb_true_iff, ?negb_true_iff; try (now split); try tauto.
    destruct Hx as [-> ?], Hy as [-> ?]. split; intros; split; auto; apply not_true_is_false;
      rewrite andb_true_iff, Z.leb_le; lia.
Qed.

Lemma ok_union_left (bool : bool) m n x y : ok bool m x y -> ok bool (union m n) x y.
Proof.
  destruct bool; cbn [ok]; unfold ok_bool, ok_number, union; cbn; [|destruct x, y]; intros;
    rewrite ?orb_true_iff; intuition.
Qed.
Lemma ok_union_right (bool : bool) m n x y : ok bool n x y -> ok bool (union m n) x y.
Proof.
  destruct bool; cbn [ok]; unfold ok_bool, ok_number, union; cbn; [|destruct x, y]; intros;
    rewrite ?orb_true_iff; intuition.
Qed.

Lemma if_moves_sound (bool number : bool) u v mc ma mb x x' y y' z z' :
  (bool = true -> bool_value y /\ bool_value y' /\ bool_value z /\ bool_value z') ->
  ok_bool mc x x' -> within u y -> within u y' -> within v z -> within v z' ->
  ok bool ma y y' -> ok bool mb z z' ->
  ok bool (if_moves bool number u v mc ma mb) (pick x y z) (pick x' y' z').
Proof.
  intros T Hc Hy Hy' Hz Hz' Ha Hb. unfold if_moves, pick.
  destruct (is x scale) eqn:E, (is x' scale) eqn:E'.
  - now do 3 apply ok_union_left.
  - destruct Hc as (_ & Hc & _). rewrite (Hc E E'). cbn [when]. apply ok_union_right.
    apply crossing_sound; auto. intros B. destruct (T B) as (? & ? & ? & ?). auto.
  - destruct Hc as (Hc & _). rewrite (Hc E E'). cbn [when]. apply ok_union_left, ok_union_right.
    apply crossing_sound; auto. intros B. destruct (T B) as (? & ? & ? & ?). auto.
  - do 2 apply ok_union_left. now apply ok_union_right.
Qed.

Lemma sound_ext (bool : bool) b f g :
  (forall w, good w -> f w = g w) -> sound bool b good f -> sound bool b good g.
Proof.
  intros E (H1 & H2 & H3). split; [|split]; intros; rewrite <- ?E by assumption; auto.
Qed.

Lemma if_sound (bool number : bool) c a b f g h :
  bools f -> (bool = true -> bools g /\ bools h) ->
  sound true c good f -> sound bool a good g -> sound bool b good h ->
  sound bool (if_b bool number c a b) good (fun w => pick (f w) (g w) (h w)).
Proof.
  intros Bf T Hc Ha Hb. unfold if_b. destruct (certainty (vals c)) as [[]|] eqn:E.
  - apply (sound_ext bool a g); auto. intros w G. unfold pick.
    now rewrite (certainty_true (vals c) (f w) E (proj1 Hc w G) (Bf w G)).
  - apply (sound_ext bool b h); auto. intros w G. unfold pick.
    now rewrite (certainty_false (vals c) (f w) E (proj1 Hc w G)).
  - destruct Hc as (C1 & C2 & C3), Ha as (A1 & A2 & A3), Hb as (B1 & B2 & B3). split; [|split].
    + intros w G. cbn [vals]. apply choose_sound; auto.
    + intros w G N. cbn [on_no_data]. apply choose_sound; auto.
    + intros ax w w' S G G'. specialize (C3 _ _ _ S G G').
      specialize (A3 _ _ _ S G G'). specialize (B3 _ _ _ S G G').
      destruct ax; apply if_moves_sound; auto; intros Q; destruct (T Q) as [P1 P2]; repeat split; auto.
Qed.
End Rules.

(** * Every expression *)

(** The types that the resolver has checked. *)
Fixpoint typed (e : expr) : Prop :=
  match e with
  | Lit _ _ => True
  | Agg l => leaf_type l <> TBool
  | Add a b | Sub a b | Mul a b | Least a b | Greatest a b | Cmp _ a b | Div a b =>
      typed a /\ typed b /\ is_bool a = false /\ is_bool b = false
  | Neg a | Floor a | Widen a => typed a /\ is_bool a = false
  | And a b | Or a b => typed a /\ typed b /\ is_bool a = true /\ is_bool b = true
  | Not a => typed a /\ is_bool a = true
  | IsNone a => typed a
  | If c a b => typed c /\ typed a /\ typed b /\ is_bool c = true /\ is_bool a = is_bool b
  end.

Definition closed (good : world -> Prop) := forall l fs r, good (World (l ++ fs) r) -> good (World fs r).

Lemma sane_closed e : closed (fun w => Sane w e).
Proof.
  intros l fs r H earlier later E. cbn in *. apply (H earlier (l ++ later)). cbn. rewrite E. apply app_assoc.
Qed.

Lemma step_of_pos e : 0 < step_of e.
Proof. unfold step_of. destruct (whole e); reflexivity. Qed.

Lemma finish_sound good (bool : bool) b f :
  closed good -> (bool = true -> bools good f) -> sound bool b good f -> sound bool (finish bool b) good f.
Proof. intros C T H. apply tidied_sound; auto. now apply at_start_sound. Qed.

Lemma out_sound good e b f :
  closed good -> (is_bool e = true -> bools good f) -> sound (is_bool e) b good f ->
  sound (is_bool e) (finish (is_bool e) b) good f
  /\ sound true (is_none_b (is_bool e) (finish (is_bool e) b)) good (fun w => is_none (f w)).
Proof.
  intros C T H. pose proof (finish_sound good (is_bool e) b f C T H). split; auto.
  now apply is_none_sound.
Qed.

Definition both_sound good e :=
  sound (is_bool e) (fst (behaviours e)) good (fun w => eval w e)
  /\ sound true (snd (behaviours e)) good (fun w => is_none (eval w e)).

Lemma is_none_bool x : bool_value (is_none x).
Proof. unfold is_none, bool_value. destruct x; auto. Qed.
Lemma bool_is_none good f : bools good (fun w => is_none (f w)).
Proof. intros w G. unfold is_none, bool_value. destruct (f w); auto. Qed.

Lemma is_none_compare c x y : kor (is_none x) (is_none y) = is_none (compare c x y).
Proof. destruct x, y; reflexivity. Qed.

Theorem behaviours_sound e good :
  typed e -> closed good -> (forall w, good w -> sane w e) -> both_sound good e.
Proof.
  intros T C. revert T. induction e; intros T S; unfold both_sound; cbn [typed] in T.
  - (* a literal *)
    assert (H : forall v, (forall w, good w -> within v x) -> sound (is_bool (Lit t x)) (constant v) good (fun _ => x)).
    { intros v H. split; [exact H|split; [intros w G _; exact (H w G)|]]. intros ax w w' St G G'.
      destruct ax, (is_bool (Lit t x)); cbn [ok moves_of constant added passing];
        try apply same_ok; destruct x; cbn; lia. }
    assert (Q : is_bool (Lit t x) = true -> bools good (fun _ => x)).
    { intros Q w G. apply (bool_sane w (Lit t x)); auto. }
    destruct x as [z|]; cbn [behaviours fst snd eval]; apply out_sound; auto; apply H; cbn; intros;
      [split; auto; lia|reflexivity].
  - (* an aggregate *)
    cbn [behaviours fst snd eval].
    assert (E : is_bool (Agg l) = false) by (unfold is_bool; cbn; destruct (leaf_type l); congruence).
    apply out_sound; auto; [congruence|]. rewrite E. split; [|split].
    + intros w G. destruct (S w G) as (_ & L & _). now apply leaf_within.
    + intros w G N. now apply leaf_on_no_data.
    + intros ax w w' St G G'. destruct (S w G) as (_ & L & _), (S w' G') as (_ & L' & _).
      cbn [ok]. now apply leaf_moves.
  - (* x + y *)
    destruct T as (T1 & T2 & N1 & N2). cbn [behaviours fst snd eval].
    destruct (IHe1 T1 (fun w G => ltac:(now destruct (S w G) as (_ & ? & _)))) as [A _].
    destruct (IHe2 T2 (fun w G => ltac:(now destruct (S w G) as (_ & _ & ? & _)))) as [B _].
    rewrite N1 in A. rewrite N2 in B.
    assert (E : is_bool (Add e1 e2) = false) by exact N1. apply out_sound; auto; [congruence|]. rewrite E.
    apply (combine_sound good false false false); auto.
    + intros. apply vadd_sound; auto. now destruct (S w H) as (F & _).
    + intros. now apply add_moves.
  - (* x - y *)
    destruct T as (T1 & T2 & N1 & N2). cbn [behaviours fst snd eval].
    destruct (IHe1 T1 (fun w G => ltac:(now destruct (S w G) as (_ & ? & _)))) as [A _].
    destruct (IHe2 T2 (fun w G => ltac:(now destruct (S w G) as (_ & _ & ? & _)))) as [B _].
    rewrite N1 in A. rewrite N2 in B.
    assert (E : is_bool (Sub e1 e2) = false) by exact N1. apply out_sound; auto; [congruence|]. rewrite E.
    apply (combine_sound good false false false); auto.
    + intros. rewrite sub_is_add. apply vadd_sound; auto; [now apply vneg_sound|].
      rewrite <- sub_is_add. now destruct (S w H) as (F & _).
    + intros. rewrite !sub_is_add. apply add_moves; auto. now apply neg_moves.
  - (* x * y *)
    destruct T as (T1 & T2 & N1 & N2). cbn [behaviours fst snd eval].
    destruct (IHe1 T1 (fun w G => ltac:(now destruct (S w G) as (_ & ? & _)))) as [A _].
    destruct (IHe2 T2 (fun w G => ltac:(now destruct (S w G) as (_ & _ & ? & _)))) as [B _].
    rewrite N1 in A. rewrite N2 in B.
    assert (E : is_bool (Mul e1 e2) = false) by exact N1. apply out_sound; auto; [congruence|]. rewrite E.
    apply (combine_sound good false false false); auto.
    + intros. apply vmul_sound; auto. now destruct (S w H) as (F & _).
    + intros. now apply product_moves_sound.
  - (* x / y *)
    destruct T as (T1 & T2 & N1 & N2). cbn [behaviours fst snd eval].
    destruct (IHe1 T1 (fun w G => ltac:(now destruct (S w G) as (_ & ? & _)))) as [A _].
    destruct (IHe2 T2 (fun w G => ltac:(now destruct (S w G) as (_ & _ & ? & _)))) as [B _].
    rewrite N1 in A. rewrite N2 in B.
    apply out_sound; auto; [discriminate|].
    apply (combine_sound good false false false); auto.
    + intros. destruct (S w H) as (F & _ & _ & _ & _ & O).
      apply vdiv_sound; auto. apply step_of_pos.
    + intros. now apply quotient_moves_sound.
  - (* -x *)
    destruct T as (T1 & N1). cbn [behaviours fst snd eval].
    destruct (IHe T1 (fun w G => ltac:(now destruct (S w G) as (_ & ? & _)))) as [A _]. rewrite N1 in A.
    assert (E : is_bool (Neg e) = false) by exact N1. apply out_sound; auto; [congruence|]. rewrite E.
    apply (map_sound good false false _ _ _ _ (option_map Z.opp) A).
    + intros. destruct (S w H) as (F & _). cbn [eval] in F.
      replace (option_map Z.opp (eval w e)) with (add (Some 0) (option_map Z.opp (eval w e)))
        by (destruct (eval w e); reflexivity).
      apply vadd_sound; [cbn; split; auto; lia|now apply vneg_sound|].
      destruct (eval w e); exact F.
    + intros. now apply neg_moves.
  - (* floor *)
    destruct T as (T1 & N1). cbn [behaviours fst snd eval].
    destruct (IHe T1 (fun w G => ltac:(now destruct (S w G) as (_ & ? & _)))) as [A _]. rewrite N1 in A.
    apply out_sound; auto; [discriminate|].
    apply (map_sound good false false _ _ _ _ floor A).
    + intros. apply vfloor_sound; auto. now destruct (S w H) as (F & _).
    + intros. now apply floor_moves.
  - (* widened *)
    destruct T as (T1 & N1). cbn [behaviours fst snd eval].
    destruct (IHe T1 (fun w G => ltac:(now destruct (S w G) as (_ & ? & _)))) as [A _]. rewrite N1 in A.
    apply out_sound; auto. discriminate.
  - (* least *)
    destruct T as (T1 & T2 & N1 & N2). cbn [behaviours fst snd eval].
    destruct (IHe1 T1 (fun w G => ltac:(now destruct (S w G) as (_ & ? & _)))) as [A _].
    destruct (IHe2 T2 (fun w G => ltac:(now destruct (S w G) as (_ & _ & ? & _)))) as [B _].
    rewrite N1 in A. rewrite N2 in B.
    assert (E : is_bool (Least e1 e2) = false) by exact N1. apply out_sound; auto; [congruence|]. rewrite E.
    apply (combine_sound good false false false); auto.
    + intros. now apply vleast_sound.
    + intros. now apply least_moves.
  - (* greatest *)
    destruct T as (T1 & T2 & N1 & N2). cbn [behaviours fst snd eval].
    destruct (IHe1 T1 (fun w G => ltac:(now destruct (S w G) as (_ & ? & _)))) as [A _].
    destruct (IHe2 T2 (fun w G => ltac:(now destruct (S w G) as (_ & _ & ? & _)))) as [B _].
    rewrite N1 in A. rewrite N2 in B.
    assert (E : is_bool (Greatest e1 e2) = false) by exact N1. apply out_sound; auto; [congruence|]. rewrite E.
    apply (combine_sound good false false false); auto.
    + intros. now apply vgreatest_sound.
    + intros. now apply greatest_moves.
  - (* a comparison *)
    destruct T as (T1 & T2 & N1 & N2). cbn [behaviours fst snd eval].
    destruct (IHe1 T1 (fun w G => ltac:(now destruct (S w G) as (_ & ? & _)))) as [A A'].
    destruct (IHe2 T2 (fun w G => ltac:(now destruct (S w G) as (_ & _ & ? & _)))) as [B B'].
    rewrite N1 in A. rewrite N2 in B. split.
    + apply finish_sound; auto; [intros _ w G; apply (bool_sane w (Cmp c e1 e2)); [now apply S|reflexivity]|].
      now apply compare_b_sound.
    + apply finish_sound; auto; [intros _; apply bool_is_none|].
      apply (sound_ext good true _ (fun w => kor (is_none (eval w e1)) (is_none (eval w e2))));
        [intros; apply is_none_compare|].
      apply (combine_sound good true true true); auto.
      * intros. apply vor_sound; auto; apply is_none_bool.
      * intros. apply or_moves; auto; apply is_none_bool.
  - (* and *)
    destruct T as (T1 & T2 & N1 & N2). cbn [behaviours fst snd eval].
    destruct (IHe1 T1 (fun w G => ltac:(now destruct (S w G) as (_ & ? & _)))) as [A _].
    destruct (IHe2 T2 (fun w G => ltac:(now destruct (S w G) as (_ & _ & ? & _)))) as [B _].
    rewrite N1 in A. rewrite N2 in B.
    assert (B1 : bools good (fun w => eval w e1))
      by (intros w G; apply (bool_sane w e1); auto; now destruct (S w G) as (_ & ? & _)).
    assert (B2 : bools good (fun w => eval w e2))
      by (intros w G; apply (bool_sane w e2); auto; now destruct (S w G) as (_ & _ & ? & _)).
    apply out_sound; auto; [intros _ w G; apply (bool_sane w (And e1 e2)); [now apply S|reflexivity]|].
    apply (combine_sound good true true true); auto.
    + intros. apply vand_sound; auto.
    + intros. apply and_moves; auto.
  - (* or *)
    destruct T as (T1 & T2 & N1 & N2). cbn [behaviours fst snd eval].
    destruct (IHe1 T1 (fun w G => ltac:(now destruct (S w G) as (_ & ? & _)))) as [A _].
    destruct (IHe2 T2 (fun w G => ltac:(now destruct (S w G) as (_ & _ & ? & _)))) as [B _].
    rewrite N1 in A. rewrite N2 in B.
    assert (B1 : bools good (fun w => eval w e1))
      by (intros w G; apply (bool_sane w e1); auto; now destruct (S w G) as (_ & ? & _)).
    assert (B2 : bools good (fun w => eval w e2))
      by (intros w G; apply (bool_sane w e2); auto; now destruct (S w G) as (_ & _ & ? & _)).
    apply out_sound; auto; [intros _ w G; apply (bool_sane w (Or e1 e2)); [now apply S|reflexivity]|].
    apply (combine_sound good true true true); auto.
    + intros. apply vor_sound; auto.
    + intros. apply or_moves; auto.
  - (* not *)
    destruct T as (T1 & N1). cbn [behaviours fst snd eval].
    destruct (IHe T1 (fun w G => ltac:(now destruct (S w G) as (_ & ? & _)))) as [A A']. rewrite N1 in A. split.
    + apply finish_sound; auto; [intros _ w G; apply (bool_sane w (Not e)); [now apply S|reflexivity]|].
      apply (map_sound good true true _ _ _ _ not A).
      * intros. now apply vnot_sound.
      * intros. now apply not_moves.
    + apply (sound_ext good true _ (fun w => is_none (eval w e))); auto.
      intros. destruct (eval w e); reflexivity.
  - (* is none *)
    cbn [behaviours fst snd eval].
    destruct (IHe T (fun w G => ltac:(now destruct (S w G) as (_ & ?)))) as [_ A].
    apply out_sound; auto. intros _. apply bool_is_none.
  - (* if *)
    destruct T as (T1 & T2 & T3 & N1 & N2). cbn [behaviours fst snd].
    assert (S1 : forall w, good w -> sane w e1) by (intros w G; now destruct (S w G) as (_ & ? & _)).
    assert (S2 : forall w, good w -> sane w e2) by (intros w G; now destruct (S w G) as (_ & _ & ? & _)).
    assert (S3 : forall w, good w -> sane w e3) by (intros w G; now destruct (S w G) as (_ & _ & _ & ? & _)).
    destruct (IHe1 T1 S1) as [Hc _], (IHe2 T2 S2) as [Ha Ha'], (IHe3 T3 S3) as [Hb Hb'].
    rewrite N1 in Hc. assert (E : is_bool (If e1 e2 e3) = is_bool e2) by reflexivity.
    rewrite <- N2, <- E in Hb. rewrite <- E in Ha.
    assert (Bc : bools good (fun w => eval w e1)) by (intros w G; apply (bool_sane w e1); auto).
    split.
    + apply finish_sound; auto; [intros Q w G; apply (bool_sane w (If e1 e2 e3)); auto|].
      apply (if_sound good _ _ _ _ _ (fun w => eval w e1) (fun w => eval w e2) (fun w => eval w e3)); auto.
      intros Q. split; intros w G; [apply (bool_sane w e2)|apply (bool_sane w e3)]; auto;
        unfold bool_expr; congruence.
    + apply finish_sound; auto; [intros _; apply bool_is_none|].
      apply (sound_ext good true _ (fun w => pick (eval w e1) (is_none (eval w e2)) (is_none (eval w e3)))).
      * intros w G. unfold pick. cbn [eval]. destruct (is (eval w e1) scale); reflexivity.
      * apply (if_sound good true _ _ _ _ (fun w => eval w e1)); auto.
        intros _. split; apply bool_is_none.
Qed.

(** * The laws *)

(** Below every number lies none, and below truth all else (LAW-01). *)
Definition at_most (bool : bool) (x y : value) : Prop :=
  if bool then is x scale = true -> is y scale = true
  else match x, y with None, _ => True | Some _, None => False | Some p, Some q => p <= q end.

Definition never_falls e :=
  falls (added (behaviour_of e)) = false /\ (is_bool e = false -> vanishes (added (behaviour_of e)) = false).

(** LAW-01: logging never lowers. *)
Theorem logging_never_lowers e :
  typed e -> never_falls e ->
  forall f fs r, Sane (World (f :: fs) r) e ->
    at_most (is_bool e) (eval (World fs r) e) (eval (World (f :: fs) r) e).
Proof.
  intros T (F & V) f fs r S.
  assert (S' : Sane (World fs r) e) by (apply (sane_closed e [f]); exact S).
  destruct (behaviours_sound e (fun w => Sane w e) T (sane_closed e) (fun w => sane_now w e)) as [(_ & _ & H) _].
  specialize (H Added _ _ (add_fact f fs r) S' S). cbn [moves_of] in H. fold (behaviour_of e) in H.
  unfold at_most. destruct (is_bool e) eqn:B; cbn [ok] in H.
  - destruct H as (_ & H & _). intros E.
    destruct (is (eval (World (f :: fs) r) e) scale) eqn:E'; auto.
    rewrite (H E eq_refl) in F. discriminate.
  - destruct (eval (World fs r) e) as [p|], (eval (World (f :: fs) r) e) as [q|]; cbn in H; auto.
    + destruct (Z_lt_dec q p); [|lia]. destruct H as [_ H]. rewrite H in F by auto. discriminate.
    + rewrite V in H by auto. discriminate.
Qed.

(** LAW-02: never below no data, and never below 0. *)
Theorem never_below_no_data e :
  typed e -> never_falls e ->
  forall fs r, Sane (World fs r) e -> at_most (is_bool e) (eval (World [] r) e) (eval (World fs r) e).
Proof.
  intros T N fs r. induction fs as [|f fs IH]; intros S.
  - unfold at_most. destruct (is_bool e); auto. destruct (eval _ e); auto. lia.
  - assert (S' : Sane (World fs r) e) by (apply (sane_closed e [f]); exact S).
    specialize (IH S'). pose proof (logging_never_lowers e T N f fs r S) as H.
    unfold at_most in *. destruct (is_bool e); auto.
    destruct (eval (World [] r) e), (eval (World fs r) e), (eval (World (f :: fs) r) e); auto; try tauto; lia.
Qed.

Theorem never_below_zero e :
  typed e -> is_bool e = false -> 0 <= low (vals (behaviour_of e)) ->
  forall w p, Sane w e -> eval w e = Some p -> 0 <= p.
Proof.
  intros T B L w p S E.
  destruct (behaviours_sound e (fun w => Sane w e) T (sane_closed e) (fun w => sane_now w e)) as [(H & _) _].
  specialize (H w S). cbn beta in H. rewrite E in H. destruct H as [_ H]. unfold behaviour_of in L. lia.
Qed.

(** LAW-03: a level of what has neither f nor v as days pass is kept. *)
Definition reached (thresholds : list Z) (x : value) : Z :=
  match x with None => 0 | Some p => size (filter (fun t => t <=? p) thresholds) end.

Lemma reached_mono ts p q : p <= q -> size (filter (fun t => t <=? p) ts) <= size (filter (fun t => t <=? q) ts).
Proof. intros H. apply within_length, within_filter. intros t. lia. Qed.

Theorem level_is_kept e thresholds :
  typed e -> is_bool e = false ->
  falls (passing (behaviour_of e)) = false -> vanishes (passing (behaviour_of e)) = false ->
  forall fs r, Sane (World fs r) e -> Sane (World fs (r + 1)) e ->
    reached thresholds (eval (World fs r) e) <= reached thresholds (eval (World fs (r + 1)) e).
Proof.
  intros T B F V fs r S S'.
  destruct (behaviours_sound e (fun w => Sane w e) T (sane_closed e) (fun w => sane_now w e)) as [(_ & _ & H) _].
  specialize (H Passing _ _ (pass_day fs r) S S'). cbn [moves_of] in H. fold (behaviour_of e) in H.
  rewrite B in H. cbn [ok] in H. unfold reached.
  destruct (eval (World fs r) e) as [p|], (eval (World fs (r + 1)) e) as [q|]; cbn in H; try congruence.
  - apply reached_mono. destruct (Z_lt_dec q p); [|lia]. destruct H as [_ H]. rewrite H in F by auto. discriminate.
  - unfold size. lia.
  - lia.
Qed.

(** The hypotheses can be met: a count of facts, on a dataset with one. *)
Example a_count : expr := Agg (Leaf_ Count 0 None scale scale TInt).
Example a_count_never_falls : typed a_count /\ never_falls a_count.
Proof. split; [discriminate|split; reflexivity]. Qed.
Example a_count_is_sane : Sane (World [Fact 0 1 (Some scale)] 1) a_count.
Proof.
  intros earlier later E. cbn in E. destruct later as [|f later]; cbn in E.
  - subst earlier. cbn. unfold leaf_sane, limit, scale. cbn. repeat split; try lia; try discriminate.
    repeat constructor; cbn; lia.
  - injection E as _ E. symmetry in E. apply app_eq_nil in E. destruct E as [-> ->].
    cbn. unfold leaf_sane, limit, scale. cbn. repeat split; try lia; try discriminate. constructor.
Qed.

Print Assumptions logging_never_lowers.
Print Assumptions never_below_no_data.
Print Assumptions never_below_zero.
Print Assumptions level_is_kept.
