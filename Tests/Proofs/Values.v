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
Lemma half_up_mono n d n' d' :
  0 < d -> 0 < d' -> 0 <= n -> n * d' <= n' * d -> half_up n d <= half_up n' d'.
Proof.
  intros Hd Hd' Hn H. unfold half_up. set (k := (2 * n + d) / (2 * d)).
  assert (Hk : 2 * d * k <= 2 * n + d) by (apply Z.mul_div_le; lia).
  apply Z.div_le_lower_bound; [lia|].
  assert ((2 * k - 1) * d <= 2 * n) by lia.
  assert ((2 * k - 1) * d * d' <= 2 * n * d') by (apply Z.mul_le_mono_nonneg_r; lia).
  assert ((2 * k - 1) * d' * d <= 2 * n' * d) by lia.
  assert ((2 * k - 1) * d' <= 2 * n') by (apply Z.mul_le_mono_pos_r with d; lia).
  lia.
Qed.

Lemma half_up_nonneg n d : 0 < d -> 0 <= n -> 0 <= half_up n d.
Proof. intros. unfold half_up. apply Z.div_pos; lia. Qed.

Lemma rdiv_pos_mono n d n' d' :
  0 < d -> 0 < d' -> n * d' <= n' * d -> rdiv_pos n d <= rdiv_pos n' d'.
Proof.
  intros Hd Hd' H. unfold rdiv_pos.
  destruct (0 <=? n) eqn:E; destruct (0 <=? n') eqn:E'; rewrite ?Z.leb_le, ?Z.leb_gt in *.
  - now apply half_up_mono.
  - nia.
  - assert (0 <= half_up (- n) d) by (apply half_up_nonneg; lia).
    assert (0 <= half_up n' d') by (apply half_up_nonneg; lia). lia.
  - assert (half_up (- n') d' <= half_up (- n) d) by (apply half_up_mono; lia). lia.
Qed.

Lemma rdiv_mono n d n' d' : 0 < d -> 0 < d' -> n * d' <= n' * d -> rdiv n d <= rdiv n' d'.
Proof.
  intros Hd Hd' H. unfold rdiv.
  rewrite (proj2 (Z.ltb_lt 0 d) Hd), (proj2 (Z.ltb_lt 0 d') Hd'). now apply rdiv_pos_mono.
Qed.

(** Both signs of a divisor by the rule for a positive one. *)
Lemma rdiv_flip n d : d < 0 -> rdiv n d = rdiv (- n) (- d).
Proof.
  intros H. unfold rdiv. destruct (0 <? d) eqn:E; [apply Z.ltb_lt in E; lia|].
  destruct (0 <? - d) eqn:E'; [reflexivity|apply Z.ltb_ge in E'; lia].
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

Lemma union_left a b x : within a x -> within (vunion a b) x.
Proof.
  unfold within, vunion. destruct a as [n p l h], b as [n' p' l' h'], x; cbn.
  - intros [-> ?]; cbn. destruct p'; cbn; split; auto; lia.
  - intros ->. destruct p; cbn; auto. destruct p'; cbn; auto.
Qed.

Lemma union_right a b x : within b x -> within (vunion a b) x.
Proof.
  unfold within, vunion. destruct a as [n p l h], b as [n' p' l' h'], x; cbn.
  - intros [-> ?]; destruct p; cbn; split; auto; lia.
  - intros ->. destruct p; cbn; auto. destruct p'; cbn; auto. now rewrite orb_true_r.
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

Definition lowest (l : list Z) := match l with [] => 0 | z :: r => fold_left Z.min r z end.
Definition greatest_of (l : list Z) := match l with [] => 0 | z :: r => fold_left Z.max r z end.

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

Ltac in_range :=
  repeat match goal with
  | H : within _ (Some _) |- _ => destruct H as [? ?]
  end.

Lemma vadd_sound a b x y :
  within a x -> within b y -> fits (add x y) -> within (vadd a b) (add x y).
Proof.
  unfold vadd, with_bounds, within, add, lift2, fits, clamp. destruct x, y; cbn; intros;
    repeat match goal with H : _ /\ _ |- _ => destruct H end;
    repeat match goal with H : _ = true |- _ => rewrite H end; cbn; rewrite ?orb_true_r; auto.
  split; [reflexivity|].
  destruct (low a =? - limit) eqn:?, (low b =? - limit) eqn:?, (high a =? limit) eqn:?,
    (high b =? limit) eqn:?; cbn; lia.
Qed.

Lemma vneg_sound a x : within a x -> within (vneg a) (option_map Z.opp x).
Proof. unfold within, vneg. destruct x; cbn; intuition lia. Qed.

Lemma sub_is_add x y : sub x y = add x (option_map Z.opp y).
Proof. destruct x, y; reflexivity. Qed.

Lemma vleast_sound a b x y : within a x -> within b y -> within (vleast a b) (least x y).
Proof.
  unfold vleast, with_bounds, within, least, lift2. destruct x, y; cbn; intros;
    repeat match goal with H : _ /\ _ |- _ => destruct H end;
    repeat match goal with H : _ = true |- _ => rewrite H end; cbn; rewrite ?orb_true_r; auto.
  split; [reflexivity|lia].
Qed.

Lemma vgreatest_sound a b x y : within a x -> within b y -> within (vgreatest a b) (greatest x y).
Proof.
  unfold vgreatest, with_bounds, within, greatest, lift2. destruct x, y; cbn; intros;
    repeat match goal with H : _ /\ _ |- _ => destruct H end;
    repeat match goal with H : _ = true |- _ => rewrite H end; cbn; rewrite ?orb_true_r; auto.
  split; [reflexivity|lia].
Qed.

Lemma floor_le p : floor_z p <= p.
Proof. unfold floor_z. pose proof (Z.mod_pos_bound p scale). unfold scale in *; lia. Qed.

Lemma floor_mono p q : p <= q -> floor_z p <= floor_z q.
Proof.
  intros. unfold floor_z.
  assert (p / scale <= q / scale) by (apply Z.div_le_mono; unfold scale; lia).
  pose proof (Z.div_mod p scale). pose proof (Z.div_mod q scale). unfold scale in *; lia.
Qed.

Lemma vfloor_sound a x : within a x -> fits (floor x) -> within (vfloor a) (floor x).
Proof.
  unfold within, vfloor, floor, fits, unbounded. destruct x as [p|]; cbn; auto.
  intros [-> [? ?]] Hf. split; auto.
  pose proof (floor_mono (low a) p ltac:(lia)). pose proof (floor_mono p (high a) ltac:(lia)).
  pose proof (floor_le p).
  destruct (low a =? limit) eqn:?, (low a =? - limit) eqn:?, (high a =? limit) eqn:?,
    (high a =? - limit) eqn:?; cbn; rewrite ?Z.eqb_eq, ?Z.eqb_neq in *; try lia.
  all: subst; assert (floor_z limit = limit) by reflexivity;
    assert (floor_z (- limit) = - limit) by reflexivity;
    try replace (low a) with limit in * by lia; try replace (high a) with (- limit) in * by lia; try lia.
Qed.

(** A product of two numbers in ranges lies between those of the corners. *)
Lemma corner_high l h l' h' p q :
  l <= p <= h -> l' <= q <= h' ->
  p * q <= l * l' \/ p * q <= l * h' \/ p * q <= h * l' \/ p * q <= h * h'.
Proof.
  intros. destruct (Z_le_dec 0 q); destruct (Z_le_dec 0 p).
  - right; right; right; nia.
  - destruct (Z_le_dec 0 h); [right; right; right|right; right; left]; nia.
  - destruct (Z_le_dec 0 h'); [right; right; right|right; left]; nia.
  - left; nia.
Qed.

Lemma corner_low l h l' h' p q :
  l <= p <= h -> l' <= q <= h' ->
  l * l' <= p * q \/ l * h' <= p * q \/ h * l' <= p * q \/ h * h' <= p * q.
Proof.
  intros. pose proof (corner_high (- h) (- l) l' h' (- p) q ltac:(lia) ltac:(lia)). lia.
Qed.

Lemma rdiv_scale_mono m n : m <= n -> rdiv m scale <= rdiv n scale.
Proof. intros. apply rdiv_mono; unfold scale; lia. Qed.

Lemma fold_min_le l z : fold_left Z.min l z <= z /\ forall x, In x l -> fold_left Z.min l z <= x.
Proof.
  revert z. induction l as [|y l IH]; cbn; intros z; [split; [lia|tauto]|].
  destruct (IH (Z.min z y)) as [H1 H2]. split; [lia|]. intros x [->|Hx]; [lia|auto].
Qed.
Lemma fold_max_ge l z : z <= fold_left Z.max l z /\ forall x, In x l -> x <= fold_left Z.max l z.
Proof.
  revert z. induction l as [|y l IH]; cbn; intros z; [split; [lia|tauto]|].
  destruct (IH (Z.max z y)) as [H1 H2]. split; [lia|]. intros x [->|Hx]; [lia|auto].
Qed.
Lemma lowest_le l x : In x l -> lowest l <= x.
Proof. destruct l as [|z l]; cbn; [tauto|]. destruct (fold_min_le l z). intros [->|]; auto. Qed.
Lemma greatest_ge l x : In x l -> x <= greatest_of l.
Proof. destruct l as [|z l]; cbn; [tauto|]. destruct (fold_max_ge l z). intros [->|]; auto. Qed.

Lemma vmul_sound a b x y :
  within a x -> within b y -> fits (mul x y) -> within (vmul a b) (mul x y).
Proof.
  destruct x as [p|], y as [q|]; cbn -[Z.mul rdiv vmul]; intros Ha Hb Hf.
  - destruct Ha as [Ha Hp], Hb as [Hb Hq]. unfold vmul. set (cs := [_; _; _; _]).
    split; [cbn; now rewrite Ha, Hb|]. cbn [with_bounds low high].
    assert (C : forall z, clamp z = z \/ clamp z = limit /\ limit < z \/ clamp z = - limit /\ z < - limit)
      by (intros z; unfold clamp; assert (0 < limit) by reflexivity; lia).
    assert (L : forall c, In (clamp (rdiv c scale)) cs -> c <= p * q -> lowest cs <= rdiv (p * q) scale).
    { intros c Hc Hle. apply lowest_le in Hc. apply rdiv_scale_mono in Hle.
      destruct (C (rdiv c scale)) as [E|[[E ?]|[E ?]]]; lia. }
    assert (G : forall c, In (clamp (rdiv c scale)) cs -> p * q <= c -> rdiv (p * q) scale <= greatest_of cs).
    { intros c Hc Hle. apply greatest_ge in Hc. apply rdiv_scale_mono in Hle.
      destruct (C (rdiv c scale)) as [E|[[E ?]|[E ?]]]; lia. }
    split.
    + destruct (corner_low _ _ _ _ p q Hp Hq) as [H|[H|[H|H]]]; eapply L; eauto; cbn; auto.
    + destruct (corner_high _ _ _ _ p q Hp Hq) as [H|[H|[H|H]]]; eapply G; eauto; cbn; auto.
  - cbn. rewrite Hb. now rewrite orb_true_r.
  - cbn. now rewrite Ha.
  - cbn. now rewrite Ha.
Qed.

(** [p / q] lies between quotients of the ends, for a positive divisor. *)
Lemma quotient_high h lo hi p q :
  p <= h -> 0 < lo -> lo <= q <= hi ->
  rdiv (p * scale) q <= rdiv (h * scale) lo \/ rdiv (p * scale) q <= rdiv (h * scale) hi.
Proof.
  intros. destruct (Z_le_dec 0 h); [left|right]; apply rdiv_mono; try lia.
  - assert (p * lo <= h * q) by nia. unfold scale; lia.
  - assert (p * hi <= h * q) by nia. unfold scale; lia.
Qed.
Lemma quotient_low l lo hi p q :
  l <= p -> 0 < lo -> lo <= q <= hi ->
  rdiv (l * scale) lo <= rdiv (p * scale) q \/ rdiv (l * scale) hi <= rdiv (p * scale) q.
Proof.
  intros. destruct (Z_le_dec 0 l); [right|left]; apply rdiv_mono; try lia.
  - assert (l * q <= p * hi) by nia. unfold scale; lia.
  - assert (l * q <= p * lo) by nia. unfold scale; lia.
Qed.
Lemma flip_mul p q : q < 0 -> rdiv (p * scale) q = rdiv (- p * scale) (- q).
Proof. intros. rewrite rdiv_flip by lia. f_equal; lia. Qed.

Definition on_step (step : Z) (y : value) : Prop :=
  match y with Some q => q <= - step \/ q = 0 \/ step <= q | None => True end.

(** A quotient lies between two of its corners. *)
Lemma quotient_corners a b step p q :
  0 < step -> low a <= p <= high a -> low b <= q <= high b -> q <> 0 -> on_step step (Some q) ->
  (exists c d, In c [low a; high a] /\ In d (divisors b step)
               /\ rdiv (c * scale) d <= rdiv (p * scale) q)
  /\ (exists c d, In c [low a; high a] /\ In d (divisors b step)
               /\ rdiv (p * scale) q <= rdiv (c * scale) d).
Proof.
  intros Hs Ha Hb Hq Hst. cbn in Hst. unfold divisors.
  destruct (Z_lt_dec 0 q).
  - rewrite (proj2 (Z.ltb_lt 0 (high b))) by lia. idtac.
    assert (H0 : 0 < Z.max (low b) step) by lia.
    assert (H1 : Z.max (low b) step <= q <= high b) by lia.
    destruct (quotient_low (low a) _ _ p q ltac:(lia) H0 H1) as [Hl|Hl];
    destruct (quotient_high (high a) _ _ p q ltac:(lia) H0 H1) as [Hh|Hh];
    (split; [exists (low a)|exists (high a)]; eexists;
      (split; [cbn; tauto|split; [|eassumption]]); cbn; tauto).
  - rewrite (proj2 (Z.ltb_lt (low b) 0)) by lia. idtac.
    assert (H0 : 0 < - Z.min (high b) (- step)) by lia.
    assert (H1 : - Z.min (high b) (- step) <= - q <= - low b) by lia.
    rewrite (flip_mul p q) by lia.
    assert (E1 : forall c, rdiv (c * scale) (low b) = rdiv (- c * scale) (- low b))
      by (intros; apply flip_mul; lia).
    assert (E2 : forall c, rdiv (c * scale) (Z.min (high b) (- step))
                  = rdiv (- c * scale) (- Z.min (high b) (- step)))
      by (intros; apply flip_mul; lia).
    destruct (quotient_low (- high a) _ _ (- p) (- q) ltac:(lia) H0 H1) as [Hl|Hl];
    destruct (quotient_high (- low a) _ _ (- p) (- q) ltac:(lia) H0 H1) as [Hh|Hh];
    rewrite <- ?E1, <- ?E2 in *;
    (split; [exists (high a)|exists (low a)]; eexists;
      (split; [cbn; tauto|split; [|eassumption]]); apply in_or_app; right; cbn; tauto).
Qed.

Lemma vdiv_sound a b step x y :
  0 < step -> on_step step y -> within a x -> within b y -> fits (div x y) ->
  within (vdiv a b step) (div x y).
Proof.
  intros Hs Hst Ha Hb Hf. destruct x as [p|], y as [q|]; cbn -[Z.mul rdiv vdiv] in *.
  2-4: cbn; try rewrite Ha; try rewrite Hb; rewrite ?orb_true_r; reflexivity.
  destruct Ha as [Ha Hp], Hb as [Hb Hq].
  destruct (q =? 0) eqn:E; cbn -[Z.mul rdiv vdiv] in *.
  - apply Z.eqb_eq in E. subst. cbn. unfold may_zero. rewrite Hb.
    rewrite (proj2 (Z.leb_le (low b) 0)), (proj2 (Z.leb_le 0 (high b))) by lia. cbn.
    now rewrite orb_true_r.
  - apply Z.eqb_neq in E.
    destruct (quotient_corners a b step p q Hs Hp Hq E Hst) as [Hl Hh].
    unfold vdiv. set (cs := map _ _ ++ map _ _). cbn.
    assert (Hin : forall c d, In c [low a; high a] -> In d (divisors b step) ->
              In (clamp (rdiv (c * scale) d)) cs).
    { intros c d [<-|[<-|[]]] Hd; apply in_or_app; [left|right];
        apply in_map_iff; eexists; split; eauto. }
    destruct Hl as (c & d & Hc & Hd & Hl), Hh as (c' & d' & Hc' & Hd' & Hh).
    assert (L : lowest cs <= rdiv (p * scale) q)
      by (pose proof (lowest_le cs _ (Hin c d Hc Hd)); unfold clamp in *; lia).
    assert (G : rdiv (p * scale) q <= greatest_of cs)
      by (pose proof (greatest_ge cs _ (Hin c' d' Hc' Hd')); unfold clamp in *; lia).
    split.
    + rewrite Ha, Hb. destruct (divisors b step); [destruct Hd|reflexivity].
    + repeat match goal with |- context [if ?b then _ else _] => destruct b end; lia.
Qed.
