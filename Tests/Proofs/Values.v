(** Numbers, ranges, and what happens to ranges under each operator.

    A value is none, or a whole number of millionths, as in the evaluator: sums are exact, products and
    quotients are rounded to a millionth, half away from zero (NUM-03). A Bool is 0 or one million. Days are
    held as days times a million and texts as any code, so that one type serves for all. *)

From Coq Require Export ZArith Lia Bool List.
Export ListNotations.
Global Open Scope Z_scope.

Definition scale : Z := 1000000.
Definition limit : Z := 9000000000000 * scale.
Arguments limit : simpl never.
Arguments scale : simpl never.

Definition value := option Z.

(** [n / d], rounded half away from zero. *)
Definition half_up (n d : Z) : Z := (2 * n + d) / (2 * d).
Definition rdiv_pos (n d : Z) : Z := if 0 <=? n then half_up n d else - half_up (- n) d.
Definition rdiv (n d : Z) : Z := if 0 <? d then rdiv_pos n d else rdiv_pos (- n) (- d).

(** Rounding is monotone in the fraction: the one fact on which products and quotients rest. *)
Lemma half_up_mono n d n' d' : 0 < d -> 0 < d' -> n * d' <= n' * d -> half_up n d <= half_up n' d'.
Proof.
  intros. unfold half_up.
  rewrite <- (Z.div_mul_cancel_r (2 * n + d) (2 * d) d'), <- (Z.div_mul_cancel_r (2 * n' + d') (2 * d') d) by lia.
  replace (2 * d' * d) with (2 * d * d') by lia. apply Z.div_le_mono; lia.
Qed.
Lemma half_up_nonneg n d : 0 < d -> 0 <= n -> 0 <= half_up n d.
Proof. intros. unfold half_up. apply Z.div_pos; lia. Qed.
Lemma rdiv_cases n d : 0 < d -> rdiv n d = if 0 <=? n then half_up n d else - half_up (- n) d.
Proof. intros D. unfold rdiv, rdiv_pos. now rewrite (proj2 (Z.ltb_lt 0 d) D). Qed.
Lemma rdiv_mono n d n' d' : 0 < d -> 0 < d' -> n * d' <= n' * d -> rdiv n d <= rdiv n' d'.
Proof.
  intros. rewrite !rdiv_cases by auto. destruct (0 <=? n) eqn:E, (0 <=? n') eqn:E'; try nia.
  - now apply half_up_mono.
  - pose proof (half_up_nonneg (- n) d ltac:(lia) ltac:(lia)). pose proof (half_up_nonneg n' d'). lia.
  - pose proof (half_up_mono (- n') d' (- n) d ltac:(lia) ltac:(lia) ltac:(lia)). lia.
Qed.
(** With divisors of one sign, quotients are in the order of the crosswise products. *)
Lemma rdiv_flip n d : d < 0 -> rdiv n d = rdiv (- n) (- d).
Proof. intros H. unfold rdiv. destruct (0 <? d) eqn:E, (0 <? - d) eqn:E'; auto; lia. Qed.
Lemma quotient_mono p q p' q' : 0 < q * q' -> p * q' <= p' * q -> rdiv (p * scale) q <= rdiv (p' * scale) q'.
Proof.
  intros S H. apply Z.lt_0_mul in S. destruct S as [S|S]; [|rewrite (rdiv_flip _ q), (rdiv_flip _ q') by lia];
    apply rdiv_mono; unfold scale; lia.
Qed.
Lemma rdiv_exact z s : 0 < s -> rdiv (z * s) s = z.
Proof.
  assert (E : forall y, 0 < s -> half_up (y * s) s = y)
    by (intros; unfold half_up; symmetry; apply Z.div_unique with s; lia).
  intros. rewrite rdiv_cases by auto. replace (- (z * s)) with (- z * s) by lia. rewrite !E by auto.
  destruct (0 <=? z * s); lia.
Qed.
Lemma rdiv_0 q : q <> 0 -> rdiv 0 q = 0.
Proof.
  intros. destruct (Z_lt_dec 0 q); [now apply (rdiv_exact 0)|]. rewrite rdiv_flip by lia. apply (rdiv_exact 0). lia.
Qed.

(** A part of a whole is at most 1 of it. *)
Lemma part_range p q : 0 <= p <= q -> 0 < q -> 0 <= rdiv (p * scale) q <= scale.
Proof.
  intros H Q. assert (K : rdiv (0 * q) q <= rdiv (p * scale) q <= rdiv (scale * q) q)
    by (split; apply rdiv_mono; unfold scale; nia). now rewrite !rdiv_exact in K.
Qed.

(** * Values of an expression, as [Values] of [Behaviour.swift] *)

Record values := V { may_none : bool; may_present : bool; low : Z; high : Z }.

(** What a range says of a value. *)
Definition within (v : values) (x : value) : Prop :=
  match x with
  | None => may_none v = true
  | Some p => may_present v = true /\ low v <= p <= high v
  end.

Definition exactly (z : Z) := V false true z z.
Definition vnone := V true false 0 0.
Definition range (l h : Z) := V false true l h.
Definition range_or_none (l h : Z) := V true true l h.
Definition vany := V true true (- limit) limit.

Definition vunion (a b : values) : values :=
  if negb (may_present a) then V true (may_present b) (low b) (high b)
  else if negb (may_present b) then V true true (low a) (high a)
  else V (may_none a || may_none b) true (Z.min (low a) (low b)) (Z.max (high a) (high b)).

Definition may_pos v := may_present v && (0 <? high v).
Definition may_neg v := may_present v && (low v <? 0).
Definition may_zero v := may_present v && (low v <=? 0) && (0 <=? high v).

Lemma vunion_sound a b x : within a x \/ within b x -> within (vunion a b) x.
Proof.
  unfold within, vunion. destruct a as [[] [] l h], b as [[] [] l' h'], x; cbn; intuition (discriminate || lia).
Qed.

(** * The operators on values *)

Definition lift2 (f : Z -> Z -> Z) (x y : value) : value :=
  match x, y with Some p, Some q => Some (f p q) | _, _ => None end.
Definition add := lift2 Z.add.
Definition sub := lift2 Z.sub.
Definition mul := lift2 (fun p q => rdiv (p * q) scale).
Definition least := lift2 Z.min.
Definition greatest := lift2 Z.max.
Definition div (x y : value) : value :=
  match x, y with
  | Some p, Some q => if q =? 0 then None else Some (rdiv (p * scale) q)
  | _, _ => None
  end.
Definition floor_z (p : Z) := p - p mod scale.
Definition floor (x : value) := option_map floor_z x.

(** A number of the language is within the limit (NUM-01); a result beyond it is an error and no value, so
    every theorem below speaks of numbers that fit. *)
Definition fits (x : value) : Prop := match x with Some p => - limit <= p <= limit | None => True end.

Definition clamp (z : Z) := Z.max (- limit) (Z.min limit z).

Definition with_bounds (a b : values) (l h : Z) :=
  V (may_none a || may_none b) (may_present a && may_present b) l h.

Definition vadd (a b : values) : values :=
  with_bounds a b
    (if (low a =? - limit) || (low b =? - limit) then - limit else clamp (low a + low b))
    (if (high a =? limit) || (high b =? limit) then limit else clamp (high a + high b)).
Definition vneg (a : values) := V (may_none a) (may_present a) (- high a) (- low a).
Definition vleast a b := with_bounds a b (Z.min (low a) (low b)) (Z.min (high a) (high b)).
Definition vgreatest a b := with_bounds a b (Z.max (low a) (low b)) (Z.max (high a) (high b)).
Definition unbounded z := (z =? limit) || (z =? - limit).
Definition vfloor a :=
  let f z := if unbounded z then z else floor_z z in V (may_none a) (may_present a) (f (low a)) (f (high a)).

(** The greatest or the least of a list. *)
Definition extreme (up : bool) (l : list Z) : value :=
  match l with [] => None | z :: r => Some (fold_left (if up then Z.max else Z.min) r z) end.
Definition at_best (up : bool) (x z : Z) := if up then x <= z else z <= x.
Definition number (x : value) := match x with Some z => z | None => 0 end.
Definition lowest l := number (extreme false l).
Definition greatest_of l := number (extreme true l).
Lemma extreme_spec up l :
  match extreme up l with Some z => In z l /\ forall x, In x l -> at_best up x z | None => l = [] end.
Proof.
  destruct l as [|z l]; [reflexivity|]. cbn [extreme]. revert z.
  induction l as [|y l IH]; intros z; cbn [fold_left]; [split; [|intros x [->|[]]]; destruct up; cbn; auto; lia|].
  destruct (IH ((if up then Z.max else Z.min) z y)) as [I B].
  assert (M : at_best up z ((if up then Z.max else Z.min) z y) /\ at_best up y ((if up then Z.max else Z.min) z y)
    /\ ((if up then Z.max else Z.min) z y = z \/ (if up then Z.max else Z.min) z y = y))
    by (destruct up; cbn; lia).
  split; [destruct M as (_ & _ & [E|E]), I as [I|I]; cbn; rewrite ?E in *; auto|].
  intros x [->|[->|H]]; [| |now apply B; right];
    specialize (B _ (or_introl eq_refl)); destruct up; cbn in *; lia.
Qed.
Lemma extreme_in up l z : extreme up l = Some z -> In z l.
Proof. intros E. pose proof (extreme_spec up l) as H. rewrite E in H. apply H. Qed.
Lemma extreme_best up l z x : extreme up l = Some z -> In x l -> at_best up x z.
Proof. intros E. pose proof (extreme_spec up l) as H. rewrite E in H. now apply H. Qed.
Lemma extreme_some up l x : In x l -> exists z, extreme up l = Some z.
Proof. destruct l; cbn; [tauto|eauto]. Qed.
Lemma best_in up l : l <> [] -> In (number (extreme up l)) l.
Proof. intros N. pose proof (extreme_spec up l) as H. destruct (extreme up l); [apply H|contradiction]. Qed.
Lemma lowest_le l x : In x l -> lowest l <= x.
Proof. intros H. destruct (extreme_some false l x H) as [z E]. unfold lowest. rewrite E.
  apply (extreme_best _ _ _ _ E H). Qed.
Lemma greatest_ge l x : In x l -> x <= greatest_of l.
Proof. intros H. destruct (extreme_some true l x H) as [z E]. unfold greatest_of. rewrite E.
  apply (extreme_best _ _ _ _ E H). Qed.

Definition vmul (a b : values) : values :=
  let corner p q := clamp (rdiv (p * q) scale) in
  let corners := [corner (low a) (low b); corner (low a) (high b); corner (high a) (low b);
                  corner (high a) (high b)] in
  with_bounds a b (lowest corners) (greatest_of corners).

(** [step] is the smallest magnitude of a divisor that is not 0. *)
Definition divisors (b : values) (step : Z) :=
  (if 0 <? high b then [Z.max (low b) step; high b] else [])
    ++ (if low b <? 0 then [low b; Z.min (high b) (- step)] else []).
Definition vdiv (a b : values) (step : Z) : values :=
  let ds := divisors b step in
  let corner p q := clamp (rdiv (p * scale) q) in
  let corners := map (corner (low a)) ds ++ map (corner (high a)) ds in
  let none := may_none a || may_none b || may_zero b in
  let present := may_present a && may_present b && negb (match ds with [] => true | _ => false end) in
  let l := lowest corners in
  let h := greatest_of corners in
  let l := if (low a =? - limit) && may_pos b then - limit else l in
  let h := if (low a =? - limit) && may_neg b then limit else h in
  let h := if (high a =? limit) && may_pos b then limit else h in
  let l := if (high a =? limit) && may_neg b then - limit else l in
  V none present l h.

Ltac split_all := repeat match goal with H : _ /\ _ |- _ => destruct H | |- _ /\ _ => split end.
(** Both operands none or present, and what is then known of presence. *)
Ltac by_presence :=
  unfold with_bounds, within, lift2 in *; repeat match goal with x : value |- _ => destruct x end; cbn in *; intros;
  split_all; repeat match goal with H : _ = true |- _ => rewrite H end; cbn; rewrite ?orb_true_r; auto.

Lemma vadd_sound a b x y : within a x -> within b y -> fits (add x y) -> within (vadd a b) (add x y).
Proof.
  unfold vadd, add, fits, clamp. by_presence;
    destruct (low a =? - limit) eqn:?, (low b =? - limit) eqn:?, (high a =? limit) eqn:?, (high b =? limit) eqn:?;
    cbn; lia.
Qed.
Lemma vneg_sound a x : within a x -> within (vneg a) (option_map Z.opp x).
Proof. unfold vneg. by_presence; lia. Qed.
Lemma sub_is_add x y : sub x y = add x (option_map Z.opp y).
Proof. destruct x, y; reflexivity. Qed.
Lemma vleast_sound a b x y : within a x -> within b y -> within (vleast a b) (least x y).
Proof. unfold vleast, least. by_presence; lia. Qed.
Lemma vgreatest_sound a b x y : within a x -> within b y -> within (vgreatest a b) (greatest x y).
Proof. unfold vgreatest, greatest. by_presence; lia. Qed.

Lemma floor_mono p q : p <= q -> floor_z p <= floor_z q.
Proof.
  intros. unfold floor_z. pose proof (Z.div_le_mono p q scale ltac:(reflexivity) ltac:(lia)).
  pose proof (Z.div_mod p scale). pose proof (Z.div_mod q scale). unfold scale in *; lia.
Qed.
Lemma floor_le p : floor_z p <= p.
Proof. unfold floor_z. pose proof (Z.mod_pos_bound p scale). unfold scale in *; lia. Qed.
Lemma vfloor_sound a x : within a x -> fits (floor x) -> within (vfloor a) (floor x).
Proof.
  unfold within, vfloor, floor, fits, unbounded. destruct x as [p|]; cbn; auto.
  intros [-> [? ?]] Hf. split; auto. pose proof (floor_mono (low a) p ltac:(lia)).
    pose proof (floor_mono p (high a) ltac:(lia)).
  pose proof (floor_le p). assert (floor_z limit = limit /\ floor_z (- limit) = - limit) by now split.
  destruct (low a =? limit) eqn:?, (low a =? - limit) eqn:?, (high a =? limit) eqn:?, (high a =? - limit) eqn:?;
    cbn; try lia; try replace (low a) with limit in * by lia; try replace (high a) with (- limit) in * by lia; lia.
Qed.

(** ** Products and quotients lie between those of the corners *)

(** Rising or falling between two ends. *)
Definition monotone (l h : Z) (f : Z -> Z) :=
  (forall x y, l <= x <= y -> y <= h -> f x <= f y) \/ (forall x y, l <= x <= y -> y <= h -> f y <= f x).
Lemma ends l h f p : monotone l h f -> l <= p <= h ->
  (exists c, In c [l; h] /\ f c <= f p) /\ (exists c, In c [l; h] /\ f p <= f c).
Proof. intros [M|M] P; split; [exists l|exists h|exists h|exists l]; (split; [cbn; auto|apply M; lia]). Qed.
Lemma corners f l h l' h' p q ds cs :
  (forall q, l' <= q <= h' -> monotone l h (fun p => f p q)) -> (forall p, l <= p <= h -> monotone l' h' (f p)) ->
  l <= p <= h -> l' <= q <= h' -> incl [l'; h'] ds ->
  (forall c d, In c [l; h] -> In d ds -> In (clamp (f c d)) cs) -> - limit <= f p q <= limit ->
  lowest cs <= f p q <= greatest_of cs.
Proof.
  intros P Q Hp Hq I C F.
  destruct (ends l h _ p (P q Hq) Hp) as [(c & Ic & Lc) (d & Id & Ld)].
  assert (R : forall c, In c [l; h] -> l <= c <= h) by (intros ? [<-|[<-|[]]]; lia).
  destruct (ends l' h' _ q (Q c (R c Ic)) Hq) as [(c' & Ic' & Lc') _].
  destruct (ends l' h' _ q (Q d (R d Id)) Hq) as [_ (d' & Id' & Ld')].
  pose proof (lowest_le cs _ (C c c' Ic (I _ Ic'))). pose proof (greatest_ge cs _ (C d d' Id (I _ Id'))).
  unfold clamp in *. lia.
Qed.
Lemma rdiv_scale_mono m n : m <= n -> rdiv m scale <= rdiv n scale.
Proof. intros. apply rdiv_mono; unfold scale; lia. Qed.
Lemma vmul_sound a b x y : within a x -> within b y -> fits (mul x y) -> within (vmul a b) (mul x y).
Proof.
  destruct x as [p|], y as [q|]; cbn -[Z.mul rdiv vmul]; intros Ha Hb Hf;
    [|unfold vmul; cbn; rewrite ?Ha, ?Hb, ?orb_true_r; reflexivity..].
  destruct Ha as [Ha Hp], Hb as [Hb Hq]. unfold vmul. set (cs := [_; _; _; _]).
  split; [cbn; now rewrite Ha, Hb|]. cbn [with_bounds low high].
  apply (corners (fun p q => rdiv (p * q) scale) (low a) (high a) (low b) (high b) p q [low b; high b]);
    auto using incl_refl.
  - intros z _. destruct (Z_le_dec 0 z); [left|right]; intros; apply rdiv_scale_mono; nia.
  - intros z _. destruct (Z_le_dec 0 z); [left|right]; intros; apply rdiv_scale_mono; nia.
  - intros c d [<-|[<-|[]]] [<-|[<-|[]]]; cbn; auto.
Qed.

Definition on_step (step : Z) (y : value) : Prop :=
  match y with Some q => q <= - step \/ q = 0 \/ step <= q | None => True end.
Lemma vdiv_sound a b step x y :
  0 < step -> on_step step y -> within a x -> within b y -> fits (div x y) -> within (vdiv a b step) (div x y).
Proof.
  intros Hs Hst Ha Hb Hf. destruct x as [p|], y as [q|]; cbn -[Z.mul rdiv vdiv] in *;
    [|unfold vdiv; cbn; rewrite ?Ha, ?Hb, ?orb_true_r; reflexivity..].
  destruct Ha as [Ha Hp], Hb as [Hb Hq]. destruct (q =? 0) eqn:E; cbn -[Z.mul rdiv vdiv] in *.
  { cbn. unfold may_zero. rewrite Hb. replace (_ <=? _) with true by lia. replace (_ <=? _) with true by lia.
    apply orb_true_r. }
  unfold vdiv. set (ds := divisors b step). set (cs := map _ _ ++ map _ _).
  assert (S : exists l h, incl [l; h] ds /\ l <= q <= h /\ (0 < l \/ h < 0)).
  { unfold ds, divisors. destruct (Z_lt_dec 0 q).
    - exists (Z.max (low b) step), (high b). replace (0 <? high b) with true by lia. split; [|lia].
      now apply incl_appl.
    - exists (low b), (Z.min (high b) (- step)). replace (low b <? 0) with true by lia. split; [|lia].
      now apply incl_appr. }
  destruct S as (l & h & I & Hl & S).
  assert (C : lowest cs <= rdiv (p * scale) q <= greatest_of cs).
  { apply (corners (fun p q => rdiv (p * scale) q) (low a) (high a) l h p q ds); auto.
    - intros z Z. destruct S; [left|right]; intros; apply quotient_mono; nia.
    - intros z _. destruct S, (Z_le_dec 0 z); [right|left|right|left]; intros; apply quotient_mono; nia.
    - intros c d [<-|[<-|[]]] Hd; apply in_or_app; [left|right]; apply in_map_iff; eauto. }
  split; [rewrite Ha, Hb; destruct ds; [now destruct (I l (or_introl eq_refl))|reflexivity]|].
  cbn [low high]. repeat match goal with |- context [if ?b then _ else _] => destruct b end; lia.
Qed.
