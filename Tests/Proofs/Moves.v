(** The four bits of [Behaviour.swift], what they promise, and the rows of the table of operators. *)

From Metricc Require Export Values.

Record moves := M { rises : bool; falls : bool; appears : bool; vanishes : bool }.

Definition none_moves := M false false false false.
Definition all_moves := M true true true true.
Definition union a b :=
  M (rises a || rises b) (falls a || falls b) (appears a || appears b) (vanishes a || vanishes b).
Definition mirrored m := M (falls m) (rises m) (appears m) (vanishes m).
Definition of_negation m := M (appears m) (vanishes m) (rises m) (falls m).
Definition when (c : bool) m := if c then m else none_moves.
Definition presence m := M false false (appears m) (vanishes m).
Definition order m := M (rises m) (falls m) false false.
Definition is_empty m := negb (rises m || falls m || appears m || vanishes m).

(** A missing bit is a proof: what the bits of a number allow from [x] before to [y] after. *)
Definition ok_number (m : moves) (x y : value) : Prop :=
  match x, y with
  | Some p, Some q => (p < q -> rises m = true) /\ (q < p -> falls m = true)
  | None, Some _ => appears m = true
  | Some _, None => vanishes m = true
  | None, None => True
  end.

(** For a Bool the bits are of truth and of falsity. *)
Definition truth : value := Some scale.
Definition falsity : value := Some 0.
Definition is (x : value) (z : Z) : bool := match x with Some p => p =? z | None => false end.
Definition ok_bool (m : moves) (x y : value) : Prop :=
  (is x scale = false -> is y scale = true -> rises m = true)
  /\ (is x scale = true -> is y scale = false -> falls m = true)
  /\ (is x 0 = false -> is y 0 = true -> appears m = true)
  /\ (is x 0 = true -> is y 0 = false -> vanishes m = true).

Definition bool_value (x : value) : Prop := x = None \/ x = falsity \/ x = truth.

Ltac bits := cbn [rises falls appears vanishes union mirrored of_negation when presence order] in *.
Ltac split_all := repeat match goal with H : _ /\ _ |- _ => destruct H | |- _ /\ _ => split end.

(** Decides each order that a hypothesis starts from. *)
Ltac by_order :=
  repeat match goal with
  | H : ?a < ?b -> _ |- _ => destruct (Z_lt_dec a b); [specialize (H ltac:(assumption))|clear H]
  end.

Ltac crush_numbers :=
  unfold ok_number, within, add, least, greatest, lift2 in *;
  repeat match goal with x : value |- _ => destruct x end; cbn in *; intros; split_all; intros; auto;
  bits; by_order; rewrite ?orb_true_iff; try tauto; try lia.

(** ** x + y, x - y, -x *)
Lemma add_moves m n x x' y y' :
  ok_number m x x' -> ok_number n y y' -> ok_number (union m n) (add x y) (add x' y').
Proof. crush_numbers. Qed.
Lemma neg_moves m x x' :
  ok_number m x x' -> ok_number (mirrored m) (option_map Z.opp x) (option_map Z.opp x').
Proof. crush_numbers. Qed.

(** ** least, greatest: a side that by its range is never taken only decides presence *)
Definition chosen m n (is_left is_right : bool) :=
  if is_left then union m (presence n) else if is_right then union n (presence m) else union m n.

Lemma least_moves a b m n x x' y y' :
  within a x -> within a x' -> within b y -> within b y' -> ok_number m x x' -> ok_number n y y' ->
  ok_number (chosen m n (high a <=? low b) (high b <=? low a)) (least x y) (least x' y').
Proof.
  unfold chosen. destruct (high a <=? low b) eqn:E, (high b <=? low a) eqn:F;
    rewrite ?Z.leb_le, ?Z.leb_gt in *; crush_numbers.
Qed.
Lemma greatest_moves a b m n x x' y y' :
  within a x -> within a x' -> within b y -> within b y' -> ok_number m x x' -> ok_number n y y' ->
  ok_number (chosen m n (high b <=? low a) (high a <=? low b)) (greatest x y) (greatest x' y').
Proof.
  unfold chosen. destruct (high a <=? low b) eqn:E, (high b <=? low a) eqn:F;
    rewrite ?Z.leb_le, ?Z.leb_gt in *; crush_numbers.
Qed.

Lemma floor_moves m x x' : ok_number m x x' -> ok_number m (floor x) (floor x').
Proof.
  unfold ok_number, floor. destruct x as [p|], x' as [q|]; cbn; auto. intros [H1 H2].
  destruct (Z_le_dec p q) as [Hpq|Hpq].
  - pose proof (floor_mono p q Hpq). split; intros H0; [apply H1|lia].
    destruct (Z.eq_dec p q); [subst; lia|lia].
  - pose proof (floor_mono q p ltac:(lia)). split; intros H0; [lia|apply H2; lia].
Qed.

(** ** x * y: r and f of x kept where y may be positive, exchanged where it may be negative *)
Definition scaled m (by_ : values) :=
  union (when (may_pos by_) (order m)) (when (may_neg by_) (mirrored (order m))).

Lemma scaled_rises m v x x' q :
  within v (Some q) -> ok_number m (Some x) (Some x') -> x * q < x' * q -> rises (scaled m v) = true.
Proof.
  unfold scaled, ok_number, within, may_pos, may_neg. intros [-> Hq] [Hr Hf] H. cbn [andb].
  destruct (0 <? high v) eqn:E, (low v <? 0) eqn:F; bits; rewrite ?orb_true_iff in *;
    rewrite ?Z.ltb_lt, ?Z.ltb_ge in *;
    clear - Hq H Hr Hf E F;
    (destruct (Z_lt_dec 0 q) as [P|P]; [assert (x < x') by nia|
      destruct (Z.eq_dec q 0); [subst; lia|]; assert (x' < x) by nia]); try lia; intuition.
Qed.
Lemma scaled_falls m v x x' q :
  within v (Some q) -> ok_number m (Some x) (Some x') -> x' * q < x * q -> falls (scaled m v) = true.
Proof.
  unfold scaled, ok_number, within, may_pos, may_neg. intros [-> Hq] [Hr Hf] H. cbn [andb].
  destruct (0 <? high v) eqn:E, (low v <? 0) eqn:F; bits; rewrite ?orb_true_iff in *;
    rewrite ?Z.ltb_lt, ?Z.ltb_ge in *;
    clear - Hq H Hr Hf E F;
    (destruct (Z_lt_dec 0 q) as [P|P]; [assert (x' < x) by nia|
      destruct (Z.eq_dec q 0); [subst; lia|]; assert (x < x') by nia]); try lia; intuition.
Qed.

Definition product_moves a b m n := union (union (scaled m b) (scaled n a)) (presence (union m n)).

Lemma product_moves_sound a b m n x x' y y' :
  within a x -> within a x' -> within b y -> within b y' -> ok_number m x x' -> ok_number n y y' ->
  ok_number (product_moves a b m n) (mul x y) (mul x' y').
Proof.
  unfold product_moves. intros Ha Ha' Hb Hb' Hm Hn.
  destruct x as [p|], x' as [p'|], y as [q|], y' as [q'|]; cbn -[rdiv Z.mul scaled] in *; auto;
    try (rewrite ?Hm, ?Hn, ?orb_true_r; reflexivity).
  split; intros H.
  - assert (p * q < p' * q').
    { destruct (Z_lt_dec (p * q) (p' * q')); auto.
      pose proof (rdiv_scale_mono (p' * q') (p * q) ltac:(lia)). lia. }
    rewrite !orb_true_iff. left. destruct (Z_lt_dec (p * q) (p' * q)).
    + left. apply (scaled_rises m b p p' q); [exact Hb|exact Hm|lia].
    + right. apply (scaled_rises n a q q' p'); [exact Ha'|exact Hn|lia].
  - assert (p' * q' < p * q).
    { destruct (Z_lt_dec (p' * q') (p * q)); auto.
      pose proof (rdiv_scale_mono (p * q) (p' * q') ltac:(lia)). lia. }
    rewrite !orb_true_iff. left. destruct (Z_lt_dec (p' * q) (p * q)).
    + left. apply (scaled_falls m b p p' q); [exact Hb|exact Hm|lia].
    + right. apply (scaled_falls n a q q' p'); [exact Ha'|exact Hn|lia].
Qed.

(** ** x / y *)
Definition quotient_moves a b m n :=
  let base := union (scaled m b) (presence (union m n)) in
  if is_empty n then base
  else
    let base := union base (mirrored (scaled n a)) in
    let base := union base (when (may_pos b && may_neg b) (M true true false false)) in
    if may_zero b then
      union (union base (when (may_pos b) (M false false (rises n) (falls n))))
        (when (may_neg b) (M false false (falls n) (rises n)))
    else base.

(** With divisors of one sign, quotients are in the order of the crosswise products. *)
Lemma rdiv_order p q p' q' :
  0 < q * q' -> rdiv (p * scale) q < rdiv (p' * scale) q' -> p * q' < p' * q.
Proof.
  intros Hs H. destruct (Z_lt_dec (p * q') (p' * q)) as [|Hn]; auto. exfalso.
  destruct (Z_lt_dec 0 q).
  - assert (0 < q') by nia.
    assert (rdiv (p' * scale) q' <= rdiv (p * scale) q); [|lia].
    apply rdiv_mono; try lia; unfold scale; lia.
  - assert (q < 0) by (destruct (Z.eq_dec q 0); [subst; lia|lia]). assert (q' < 0) by nia.
    rewrite (flip_mul p q), (flip_mul p' q') in H by lia.
    assert (rdiv (- p' * scale) (- q') <= rdiv (- p * scale) (- q)); [|lia].
    apply rdiv_mono; try lia; unfold scale; lia.
Qed.

Lemma empty_same n y y' : is_empty n = true -> ok_number n y y' -> y = y'.
Proof.
  destruct n as [r f a v]; unfold is_empty, ok_number; cbn.
  destruct r, f, a, v; cbn; intros; try discriminate.
  destruct y, y'; cbn in *; auto; try discriminate. f_equal.
  destruct H0 as [H1 H2]. destruct (Z.lt_trichotomy z z0) as [L|[L|L]]; auto;
    [apply H1 in L|apply H2 in L]; discriminate.
Qed.

Lemma quotient_moves_sound a b m n x x' y y' :
  within a x -> within a x' -> within b y -> within b y' -> ok_number m x x' -> ok_number n y y' ->
  ok_number (quotient_moves a b m n) (div x y) (div x' y').
Proof.
  intros Ha Ha' Hb Hb' Hm Hn. unfold quotient_moves. destruct (is_empty n) eqn:En.
  - pose proof (empty_same n y y' En Hn). subst y'.
    destruct y as [q|]; [|destruct x, x'; exact I].
    destruct x as [p|], x' as [p'|]; cbn -[rdiv Z.mul scaled] in *; destruct (q =? 0) eqn:Eq;
      cbn -[rdiv Z.mul scaled]; auto; try (rewrite ?Hm, ?orb_true_r; reflexivity).
    apply Z.eqb_neq in Eq. assert (0 < q * q) by nia.
    split; intros H0; apply (rdiv_order _ q _ q) in H0; auto; rewrite !orb_true_iff; left.
    + apply (scaled_rises m b p p' q); [exact Hb|exact Hm|lia].
    + apply (scaled_falls m b p p' q); [exact Hb|exact Hm|lia].
  - destruct x as [p|], y as [q|], x' as [p'|], y' as [q'|]; cbn -[rdiv Z.mul scaled may_zero] in *;
      auto;
      repeat match goal with |- context [?q =? 0] => destruct (q =? 0) eqn:? end;
      cbn -[rdiv Z.mul scaled may_zero]; auto.
    Ltac one_bit := destruct (may_zero _); bits; rewrite ?orb_true_iff; tauto.
    all: try one_bit.
    + (* the divisor stops being 0 *)
      rewrite ?Z.eqb_neq, ?Z.eqb_eq in *. subst q. destruct Hb as [Hp Hq], Hb' as [_ Hq'].
      unfold may_zero, may_pos, may_neg. rewrite Hp.
      rewrite (proj2 (Z.leb_le (low b) 0)), (proj2 (Z.leb_le 0 (high b))) by lia. cbn [andb].
      destruct (Z_lt_dec 0 q').
      * rewrite (proj2 (Z.ltb_lt 0 (high b))) by lia. bits. rewrite ?orb_true_iff.
        assert (rises n = true) by (apply Hn; lia). tauto.
      * rewrite (proj2 (Z.ltb_lt (low b) 0)) by lia. bits. rewrite ?orb_true_iff.
        assert (falls n = true) by (apply Hn; lia). tauto.
    + (* or becomes 0 *)
      rewrite ?Z.eqb_neq, ?Z.eqb_eq in *. subst q'. destruct Hb as [Hp Hq], Hb' as [_ Hq'].
      unfold may_zero, may_pos, may_neg. rewrite Hp.
      rewrite (proj2 (Z.leb_le (low b) 0)), (proj2 (Z.leb_le 0 (high b))) by lia. cbn [andb].
      destruct (Z_lt_dec 0 q).
      * rewrite (proj2 (Z.ltb_lt 0 (high b))) by lia. bits. rewrite ?orb_true_iff.
        assert (falls n = true) by (apply Hn; lia). tauto.
      * rewrite (proj2 (Z.ltb_lt (low b) 0)) by lia. bits. rewrite ?orb_true_iff.
        assert (rises n = true) by (apply Hn; lia). tauto.
    + rewrite ?Z.eqb_neq in *. destruct (Z_lt_dec 0 (q * q')) as [S|S].
      * assert (S' : 0 < q' * q) by lia.
        split; intros H; [apply (rdiv_order _ _ _ _ S) in H|apply (rdiv_order _ _ _ _ S') in H].
        -- assert (D : rises (scaled m b) = true \/ falls (scaled n a) = true).
           { destruct (Z_lt_dec 0 q).
             - assert (0 < q') by nia. destruct (Z_lt_dec p p').
               + left. apply (scaled_rises m b p p' q); [exact Hb|exact Hm|nia].
               + right. apply (scaled_falls n a q q' p'); [exact Ha'|exact Hn|nia].
             - assert (q < 0) by (destruct (Z.eq_dec q 0); [subst; lia|lia]). assert (q' < 0) by nia.
               destruct (Z_lt_dec p' p).
               + left. apply (scaled_rises m b p p' q); [exact Hb|exact Hm|nia].
               + right. apply (scaled_falls n a q q' p'); [exact Ha'|exact Hn|nia]. }
           one_bit.
        -- assert (D : falls (scaled m b) = true \/ rises (scaled n a) = true).
           { destruct (Z_lt_dec 0 q).
             - assert (0 < q') by nia. destruct (Z_lt_dec p' p).
               + left. apply (scaled_falls m b p p' q); [exact Hb|exact Hm|nia].
               + right. apply (scaled_rises n a q q' p'); [exact Ha'|exact Hn|nia].
             - assert (q < 0) by (destruct (Z.eq_dec q 0); [subst; lia|lia]). assert (q' < 0) by nia.
               destruct (Z_lt_dec p p').
               + left. apply (scaled_falls m b p p' q); [exact Hb|exact Hm|nia].
               + right. apply (scaled_rises n a q q' p'); [exact Ha'|exact Hn|nia]. }
           one_bit.
      * assert (P : may_pos b = true /\ may_neg b = true).
        { unfold may_pos, may_neg. destruct Hb as [-> Hq], Hb' as [_ Hq']. cbn.
          rewrite !Z.ltb_lt. nia. }
        destruct P as [-> ->]. split; intros; one_bit.
Qed.
