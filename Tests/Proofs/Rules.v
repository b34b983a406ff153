(** The rows: what a behaviour promises passes through each operator; whole numbers. *)

From Metricc Require Export Core.

Lemma tidy_ok bool v m x y :
  (bool = true -> bool_value x /\ bool_value y) -> within v x -> within v y -> ok bool m x y ->
  ok bool (tidy bool v m) x y.
Proof.
  intros T Hx Hy H. unfold tidy. destruct v as [n p l h].
  destruct p; cbn [negb may_present]; [|destruct x, y; cbn in Hx, Hy; try (now destruct Hx);
    try (now destruct Hy); destruct bool; cbn; auto; unfold ok_bool; cbn; intuition discriminate].
  destruct bool; cbn [ok may_none low high] in *.
  - destruct (T eq_refl) as [Bx By]. clear T.
    destruct (negb n && (l =? h)) eqn:E.
    + apply andb_prop in E. destruct E as [E1 E2]. destruct n; [discriminate|]. apply Z.eqb_eq in E2.
      assert (x = y); [|subst; apply same_ok].
      destruct x, y; cbn in Hx, Hy; try discriminate. f_equal. lia.
    + unfold ok_bool in *. bits. unfold bool_value, falsity, truth in *.
      rewrite !andb_true_iff, !negb_true_iff, !Z.ltb_ge.
      destruct Bx as [->|[->| ->]], By as [->|[->| ->]]; cbn in *; unfold scale in *; cbn in *;
        intuition (try discriminate; try lia).
  - unfold ok_number in *. destruct x, y; cbn in *; rewrite ?andb_true_iff, ?negb_true_iff, ?Z.eqb_neq;
      intuition lia.
Qed.

Lemma tidied_sound bool b (good : world -> Prop) f :
  (bool = true -> forall w, good w -> bool_value (f w)) -> sound bool b good f ->
  sound bool (tidied bool b) good f.
Proof.
  intros T (H1 & H2 & H3). repeat split; auto. intros ax w w' S G G'.
  destruct ax; cbn [moves_of tidied added passing];
    (apply tidy_ok; [intros E; split; auto|auto|auto|now apply (H3 _ _ _ S)]).
Qed.

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

(** Where a comparison has one value wherever both sides are present, by whatever proof. *)
Lemma compare_b_sound truth numbers c a b f g :
  (forall t, truth = Some t -> forall w p q, good w -> f w = Some p -> g w = Some q -> holds c p q = t) ->
  sound false a good f -> sound false b good g ->
  sound true (compare_b truth numbers c a b) good (fun w => compare c (f w) (g w)).
Proof.
  intros Ht Ha Hb.
  assert (K : forall u v w, good w -> within u (f w) -> within v (g w) ->
    within (decide truth (vcompare numbers c u v)) (compare c (f w) (g w))).
  { intros u v w G Hu Hv. pose proof (vcompare_sound numbers c u v _ _ Hu Hv) as W.
    destruct truth as [t|]; auto. specialize (Ht t eq_refl w). cbn [decide].
    destruct (f w) as [p|] eqn:E, (g w) as [q|] eqn:E'; cbn -[of_bool vcompare] in *; auto.
    destruct W as [W _]. rewrite (Ht p q G eq_refl eq_refl). split; auto. cbn. lia. }
  apply tidied_sound.
  - intros _ w G. unfold bool_value. destruct (f w), (g w); cbn; auto. destruct (holds _ _ _); auto.
  - apply (combine_sound false false true _ _ _ _ _ _ (compare c) Ha Hb).
    + intros. now apply K.
    + intros. cbn [ok] in *. apply fixed_moves_sound; auto. now apply compare_moves_sound.
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

Lemma ok_union (bool : bool) m n x y : ok bool m x y \/ ok bool n x y -> ok bool (union m n) x y.
Proof.
  destruct bool; cbn [ok]; unfold ok_bool, ok_number, union; cbn; [|destruct x, y]; intros [H|H];
    rewrite ?orb_true_iff; intuition.
Qed.

Lemma sound_ext (bool : bool) b f g :
  (forall w, good w -> f w = g w) -> sound bool b good f -> sound bool b good g.
Proof.
  intros E (H1 & H2 & H3). split; [|split]; intros; rewrite <- ?E by assumption; auto.
Qed.

(** `if C then A else B`: each branch where it is taken, and the crossings between them. *)
Definition where_ (f : world -> value) (holds : bool) w := good w /\ is (f w) scale = holds.

Lemma part_of (P Q : world -> Prop) (bool : bool) b f : (forall w, P w -> Q w) -> sound bool b Q f -> sound bool b P f.
Proof. intros I (H1 & H2 & H3). split; [|split]; eauto. Qed.
Theorem scoped_if_sound (bool : bool) c a b f g h up down :
  bools f -> sound true c good f -> sound bool a (where_ f true) g -> sound bool b (where_ f false) h ->
  (forall ax w w', step ax w w' -> where_ f false w -> where_ f true w' -> ok bool (up ax) (h w) (g w')) ->
  (forall ax w w', step ax w w' -> where_ f true w -> where_ f false w' -> ok bool (down ax) (g w) (h w')) ->
  sound bool (scoped_if c a b up down) good (fun w => pick (f w) (g w) (h w)).
Proof.
  intros Bf (C1 & C2 & C3) (A1 & A2 & A3) (B1 & B2 & B3) Up Down.
  assert (Ch : forall u v t w, good w -> within t (f w) -> (where_ f true w -> within u (g w)) ->
    (where_ f false w -> within v (h w)) -> within (choose t u v) (pick (f w) (g w) (h w))).
  { intros u v t w G T U V. unfold choose, pick. destruct (is (f w) scale) eqn:E.
    - destruct (certainty t) as [[]|] eqn:Q; [apply U; now split| |apply vunion_sound; left; now apply U].
      rewrite (certainty_false t (f w) Q T) in E. discriminate.
    - destruct (certainty t) as [[]|] eqn:Q; [|apply V; now split|apply vunion_sound; right; now apply V].
      rewrite (certainty_true t (f w) Q T (Bf w G)) in E. discriminate. }
  split; [|split].
  - intros w G. apply Ch; auto.
  - intros w G N. apply Ch; auto.
  - intros ax w w' S G G'. specialize (C3 ax w w' S G G'). unfold pick.
    assert (M : forall x y, ok bool (union (union (moves_of ax a) (moves_of ax b))
        (union (when (rises (moves_of ax c)) (up ax)) (when (falls (moves_of ax c)) (down ax)))) x y ->
      ok bool (moves_of ax (scoped_if c a b up down)) x y) by (destruct ax; auto).
    apply M, ok_union. destruct (is (f w) scale) eqn:E, (is (f w') scale) eqn:E'.
    + left. apply ok_union. left. apply A3; now try split.
    + destruct C3 as (_ & K & _). rewrite (K E E'). right. apply ok_union. right. now apply Down.
    + destruct C3 as (K & _). rewrite (K E E'). right. apply ok_union. left. now apply Up.
    + left. apply ok_union. right. apply B3; now try split.
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
  - apply scoped_if_sound; auto; try (eapply part_of; [|eassumption]; now intros w []);
      intros ax w w' _ [G _] [G' _]; (apply crossing_sound; [intros Q; destruct (T Q); split;
        auto|apply Ha || apply Hb; auto..]).
Qed.
End Rules.

(** * Whole numbers *)

Lemma divides_spec a b : divides a b = true <-> (a | b).
Proof.
  unfold divides. destruct (a =? 0) eqn:E; rewrite ?Z.eqb_eq, ?Z.eqb_neq in *.
  - subst. split; [intros ->; apply Z.divide_0_r|apply Z.divide_0_l].
  - now rewrite Z.mod_divide.
Qed.
Ltac hyps := repeat match goal with H : _ /\ _ |- _ => destruct H end.
Lemma number_not_bool e : is_number e = true -> is_bool e = false.
Proof. unfold is_number, is_bool. now destruct (type e). Qed.
Lemma day_whole w e z : typed e -> sane w e -> type e = TDay -> eval w e = Some z -> (scale | z).
Proof.
  revert z. induction e; cbn [typed sane type eval]; intros z T S Ty E; try discriminate; hyps;
    try (unfold is_number in *; destruct (type _); discriminate).
  - rewrite Ty in *. cbn in *. rewrite E in *. now apply divides_spec.
  - rewrite Ty in *. cbn in *. rewrite E in *. now apply divides_spec.
  - destruct (is (eval w e1) scale); eauto. apply IHe3; auto. congruence.
Qed.

Lemma whole_sound w e z : typed e -> sane w e -> is_whole e = true -> eval w e = Some z -> (scale | z).
Proof.
  revert z. induction e; intros z T S W E; cbn [typed sane eval is_whole type] in *; try discriminate; hyps;
    rewrite ?andb_true_iff in *; hyps;
    try (destruct (eval w e1) as [p|] eqn:E1, (eval w e2) as [q|] eqn:E2; cbn -[rdiv] in E; try discriminate;
      injection E as <-).
  - destruct t, x; try discriminate; injection E as <-; now apply divides_spec.
  - destruct (src_type s); try discriminate. rewrite E in *. now apply divides_spec.
  - apply Z.divide_add_r; auto.
  - apply Z.divide_sub_r; auto.
  - destruct (IHe1 p) as [a ->], (IHe2 q) as [b ->]; auto. exists (a * b).
    replace (a * scale * (b * scale)) with (a * b * scale * scale) by lia. now apply rdiv_exact.
  - destruct (eval w e); [|discriminate]. injection E as <-. apply Z.divide_opp_r; auto.
  - destruct (eval w e) as [p|]; [|discriminate]. injection E as <-. exists (p / scale). unfold floor_z.
    pose proof (Z.div_mod p scale ltac:(discriminate)). lia.
  - auto.
  - destruct (Z.min_spec p q) as [[_ ->]|[_ ->]]; auto.
  - destruct (Z.max_spec p q) as [[_ ->]|[_ ->]]; auto.
  - apply Z.divide_sub_r; [eapply (day_whole w e1)|eapply (day_whole w e2)]; eauto.
  - destruct (is (eval w e1) scale); auto.
Qed.
Lemma step_sound w e : typed e -> sane w e -> on_step (step_of e) (eval w e).
Proof.
  intros T S. unfold on_step, step_of. destruct (eval w e) as [z|] eqn:E; auto. destruct (is_whole e) eqn:W; [|lia].
  destruct (whole_sound w e z T S W E) as [k ->]. unfold scale. lia.
Qed.
Lemma can_be_sound w e z : typed e -> sane w e -> eval w e = Some z -> can_be e z = true.
Proof.
  intros T S E. assert (W : negb (is_whole e) || divides scale z = true).
  { destruct (is_whole e) eqn:W; auto. apply divides_spec. eapply whole_sound; eauto. }
  revert z E W. induction e; intros z E W; cbn [can_be]; auto.
  - apply andb_true_iff. split; auto. destruct T as (_ & _ & _ & L), S as (_ & S & _). destruct (L w z S E) as [L' _].
    destruct (0 <? z) eqn:P, (z <? least_part s) eqn:Q; cbn; auto. lia.
  - destruct T, S. auto.
Qed.
Lemma step_of_pos e : 0 < step_of e.
Proof. unfold step_of. destruct (is_whole _); reflexivity. Qed.
