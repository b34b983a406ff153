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
(** Decides each order that a hypothesis starts from. *)
Ltac by_order :=
  repeat match goal with
  | H : ?a < ?b -> _ |- _ => destruct (Z_lt_dec a b); [specialize (H ltac:(assumption))|clear H]
  end.
Ltac crush_numbers :=
  unfold ok_number, within, add, least, greatest, lift2 in *;
  repeat match goal with x : value |- _ => destruct x end; cbn in *; intros; split_all; intros; auto;
  bits; by_order; rewrite ?orb_true_iff; try tauto; try lia.

Lemma all_ok_number x x' : ok_number all_moves x x'. Proof. destruct x, x'; cbn; auto. Qed.
Lemma same_number m x : ok_number m x x. Proof. destruct x; cbn; auto. lia. Qed.
Lemma empty_same n y y' : is_empty n = true -> ok_number n y y' -> y = y'.
Proof.
  destruct n as [[] [] [] []]; try discriminate. intros _. destruct y, y'; cbn; auto; try discriminate.
  intros [H1 H2]. f_equal. destruct (Z.lt_trichotomy z z0) as [L|[L|L]]; auto; [apply H1 in L|apply H2 in L]; easy.
Qed.
(** One step after the other, of what is present. *)
Lemma ok_twice m n p q r :
  ok_number m (Some p) (Some q) -> ok_number n (Some q) (Some r) -> ok_number (union m n) (Some p) (Some r).
Proof. crush_numbers; destruct (Z_lt_dec p q), (Z_lt_dec q p); intuition lia. Qed.
(** What is monotone keeps the moves. *)
Lemma ok_monotone (f : Z -> Z) m x y :
  (forall p q, p <= q -> f p <= f q) -> ok_number m x y -> ok_number m (option_map f x) (option_map f y).
Proof.
  intros M. destruct x as [p|], y as [q|]; cbn; auto. intros [R F]. split; intros L; [apply R|apply F];
    [destruct (Z_le_dec q p) as [G|]|destruct (Z_le_dec p q) as [G|]]; try lia; apply M in G; lia.
Qed.

(** ** x + y, x - y, -x *)
Lemma add_moves m n x x' y y' :
  ok_number m x x' -> ok_number n y y' -> ok_number (union m n) (add x y) (add x' y').
Proof. crush_numbers. Qed.
Lemma neg_moves m x x' : ok_number m x x' -> ok_number (mirrored m) (option_map Z.opp x) (option_map Z.opp x').
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

(** ** x * y: r and f of x kept where y may be positive, exchanged where it may be negative *)
Definition scaled m (by_ : values) :=
  union (when (may_pos by_) (order m)) (when (may_neg by_) (mirrored (order m))).
Definition product_moves a b m n := union (union (scaled m b) (scaled n a)) (presence (union m n)).

(** Whatever keeps the order of x where q is above 0, turns it below 0, and is constant at 0. *)
Lemma scaled_ok (f : Z -> Z) m v p p' q : within v (Some q) -> ok_number m (Some p) (Some p') ->
  (0 <= q -> forall x y, x <= y -> f x <= f y) -> (q <= 0 -> forall x y, x <= y -> f y <= f x) ->
  ok_number (scaled m v) (Some (f p)) (Some (f p')).
Proof.
  unfold scaled, may_pos, may_neg. intros [-> Hq] [R F] Up Down. cbn [andb].
  assert (K : forall x y, f x < f y -> (x < y \/ low v < 0) /\ (y < x \/ 0 < high v) /\ (x < y \/ y < x)).
  { intros x y L. assert (x <> y) by (intros ->; lia).
    repeat split; [destruct (Z_lt_dec q 0); [right; lia|left]|destruct (Z_lt_dec 0 q); [right; lia|left]|lia];
      apply Z.nle_gt; intros G; [specialize (Up ltac:(lia) _ _ G)|specialize (Down ltac:(lia) _ _ G)]; lia. }
  split; intros L; apply K in L; destruct L as ([L|L] & [L'|L'] & [D|D]), (0 <? high v) eqn:E, (low v <? 0) eqn:G;
    try lia; bits; rewrite ?orb_true_iff; auto.
Qed.
Lemma product_moves_sound a b m n x x' y y' :
  within a x -> within a x' -> within b y -> within b y' -> ok_number m x x' -> ok_number n y y' ->
  ok_number (product_moves a b m n) (mul x y) (mul x' y').
Proof.
  unfold product_moves. intros Ha Ha' Hb Hb' Hm Hn.
  destruct x as [p|], x' as [p'|], y as [q|], y' as [q'|]; cbn -[rdiv Z.mul scaled] in *; auto;
    try (rewrite ?Hm, ?Hn, ?orb_true_r; reflexivity).
  pose proof (scaled_ok (fun x => rdiv (x * q) scale) m b p p' q Hb Hm) as L.
  pose proof (scaled_ok (fun y => rdiv (p' * y) scale) n a q q' p' Ha' Hn) as R.
  assert (K : ok_number (union (scaled m b) (scaled n a)) (Some (rdiv (p * q) scale)) (Some (rdiv (p' * q') scale))).
  { apply ok_twice with (rdiv (p' * q) scale); [apply L|apply R]; intros; apply rdiv_scale_mono; nia. }
  cbn -[rdiv Z.mul scaled] in K |- *. rewrite !orb_false_r. exact K.
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

(** The divisor moves while the dividend stays: with one sign, it turns what it draws. *)
Lemma quotient_right a n p q q' : within a (Some p) -> ok_number n (Some q) (Some q') -> 0 < q * q' ->
  ok_number (mirrored (scaled n a)) (Some (rdiv (p * scale) q)) (Some (rdiv (p * scale) q')).
Proof.
  intros A N S. pose proof (scaled_ok (fun y => p * y) n a q q' p A N ltac:(cbn beta; intros; nia) ltac:(cbn beta;
    intros; nia)) as [R F]. cbn beta in *.
  split; intros L; bits; [apply F|apply R]; apply Z.nle_gt; intros G; apply quotient_mono in G; lia.
Qed.
Lemma quotient_moves_sound a b m n x x' y y' :
  within a x -> within a x' -> within b y -> within b y' -> ok_number m x x' -> ok_number n y y' ->
  ok_number (quotient_moves a b m n) (div x y) (div x' y').
Proof.
  intros Ha Ha' Hb Hb' Hm Hn. unfold quotient_moves.
  assert (Left : forall p p' q, q <> 0 -> x = Some p -> x' = Some p' -> y = Some q ->
    ok_number (scaled m b) (Some (rdiv (p * scale) q)) (Some (rdiv (p' * scale) q))).
  { intros p p' q Q -> -> ->. apply (scaled_ok (fun x => rdiv (x * scale) q) m b p p' q); auto;
      intros; apply quotient_mono; nia. }
  destruct (is_empty n) eqn:En; [pose proof (empty_same n y y' En Hn); subst y'|];
    destruct x as [p|], x' as [p'|], y as [q|]; try destruct y' as [q'|];
    cbn -[rdiv Z.mul scaled may_zero] in *; auto;
    repeat match goal with |- context [?q =? 0] => destruct (q =? 0) eqn:? end;
    cbn -[rdiv Z.mul scaled may_zero]; auto.
  all: try (rewrite ?Hm, ?Hn, ?orb_true_r; destruct (may_zero b); bits; rewrite ?orb_true_iff; tauto).
  all: rewrite ?Z.eqb_neq, ?Z.eqb_eq in *.
  (* The divisor stops being 0, or becomes 0. *)
  2-3: destruct Hb as [P Hq], Hb' as [_ Hq'], Hn as [R F];
    replace (may_zero b) with true by (unfold may_zero; rewrite P; cbn; lia); unfold may_pos, may_neg; rewrite P;
    destruct (Z.lt_trichotomy q q') as [L|[L|L]]; [rewrite R by lia|lia|rewrite F by lia];
    destruct (0 <? high b) eqn:?, (low b <? 0) eqn:?; bits; rewrite ?orb_true_r; auto; lia.
  - rewrite !orb_false_r. now apply (Left p p' q).
  - destruct (Z_lt_dec 0 (q * q')) as [S|S].
    + destruct (ok_twice _ _ _ _ _ (Left p p' q ltac:(auto) eq_refl eq_refl eq_refl)
        (quotient_right a n p' q q' Ha' Hn S)) as [R F].
      split; intros L; [apply R in L|apply F in L]; destruct (may_zero b); bits; rewrite ?orb_true_iff in *; tauto.
    + assert (P : may_pos b && may_neg b = true).
      { unfold may_pos, may_neg. destruct Hb as [-> Hq], Hb' as [_ Hq']. cbn. rewrite andb_true_iff, !Z.ltb_lt. nia. }
      rewrite P. split; intros; destruct (may_zero b); bits; rewrite ?orb_true_iff; tauto.
Qed.
