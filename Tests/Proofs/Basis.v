(** LAW-10: without facts, declared numbers are parameters.

    An expression has two values: on two datasets without facts that differ only in declared numbers, all above 0, and
    declared Bools. What is declared is missing on both or on neither. *)

From Metricc Require Export Logic.

Inductive what := Constant | Chosen | Declared | Measured | Shown.
Record basis := Basis_ { what_ : what; zero : bool; positive : bool; steady : bool }.
Definition harmless w := match w with Constant | Chosen | Measured => true | _ => false end.
Definition is_declared b := match what_ b with Declared => true | _ => false end.
Definition is_measured b := match what_ b with Measured => true | _ => false end.

(** The same, or none on one (LAW-10). *)
Definition same (x x' : value) := match x, x' with Some p, Some q => p = q | _, _ => True end.
Definition nothing (x : value) := x = None \/ x = Some 0.
Definition above_0 (x : value) := match x with Some p => 0 < p | None => True end.
Definition there (x : value) := match x with Some _ => true | None => false end.
Definition holds_of (b : basis) (x x' : value) : Prop :=
  (harmless (what_ b) = true -> same x x') /\ (zero b = true -> nothing x /\ nothing x')
  /\ (positive b = true -> above_0 x /\ above_0 x') /\ (steady b = true -> there x = there x').

Theorem declared_numbers_are_parameters b x x' :
  holds_of b x x' -> harmless (what_ b) = true -> x = x' \/ x = None \/ x' = None.
Proof. intros (S & _) H. specialize (S H). destruct x, x'; cbn in S; subst; auto. Qed.

Definition rank w := match w with Constant => 0 | Chosen => 1 | Declared => 2 | Measured => 3 | Shown => 4 end.
Definition worse v w := if rank v <? rank w then w else v.
Definition mixed a b := (is_measured a && is_declared b) || (is_declared a && is_measured b).
(** Operands that decide together: measured beside declared shows it. *)
Definition joined (a b : basis) (zero positive : bool) :=
  if mixed a b then Basis_ Shown false false false
  else Basis_ (worse (what_ a) (what_ b)) zero positive (steady a && steady b).
Definition unsteady b := Basis_ (what_ b) (zero b) (positive b) false.

(** An operation that has a value where both operands have. *)
Definition strict (op : Z -> Z -> Z) := lift2 op.
Lemma joined_sound op a b x x' y y' z p :
  holds_of a x x' -> holds_of b y y' ->
  (z = true -> nothing (strict op x y) /\ nothing (strict op x' y')) ->
  (p = true -> above_0 (strict op x y) /\ above_0 (strict op x' y')) ->
  holds_of (joined a b z p) (strict op x y) (strict op x' y').
Proof.
  intros (A1 & _ & _ & A4) (B1 & _ & _ & B4) Z0 P. unfold joined. destruct (mixed a b) eqn:M;
    [split; [|split; [|split]]; discriminate|].
  split; [|split; [|split]]; auto; cbn [what_ steady].
  - intros H. assert (K : harmless (what_ a) = true /\ harmless (what_ b) = true).
    { unfold mixed, is_measured, is_declared, worse in *.
      destruct (what_ a), (what_ b); cbn in *; auto; discriminate. }
    destruct K as [K K']. specialize (A1 K). specialize (B1 K'). destruct x, x', y, y'; cbn in *; subst; auto.
  - rewrite andb_true_iff. intros [H H']. specialize (A4 H). specialize (B4 H').
    destruct x, x', y, y'; cbn in *; auto; discriminate.
Qed.

(** x * y and least(x, y), x measured and nothing without facts: y only scales or caps it. *)
Definition of_nothing a b := Basis_ Measured true false (steady a && steady b).
Lemma product_sound a b x x' y y' : zero a = true -> holds_of a x x' -> holds_of b y y' ->
  holds_of (of_nothing a b) (mul x y) (mul x' y').
Proof.
  intros Z0 (_ & A2 & _ & A4) (_ & _ & _ & B4). destruct (A2 Z0) as [[-> | ->] [-> | ->]];
    (split; [|split; [|split]]); cbn; try discriminate; unfold nothing, mul, lift2; try rewrite andb_true_iff;
    destruct y, y'; cbn; rewrite ?rdiv_0; auto; intros [H H'];
    try specialize (A4 H); try specialize (B4 H'); cbn in *; congruence.
Qed.
(** A declared divisor that may be 0 decides whether there is a value. *)
Definition quotient_of_nothing a b := Basis_ Measured true false (steady a && steady b && positive b).
Lemma quotient_sound a b x x' y y' : zero a = true -> holds_of a x x' -> holds_of b y y' ->
  holds_of (quotient_of_nothing a b) (div x y) (div x' y').
Proof.
  intros Z0 (_ & A2 & _ & A4) (_ & _ & B3 & B4).
  assert (N : forall q, q <> 0 -> rdiv (0 * scale) q = 0).
  { assert (P : forall q, 0 < q -> rdiv_pos 0 q = 0)
      by (intros q L; unfold rdiv_pos, half_up; cbn [Z.leb Z.compare]; rewrite Z.div_small by lia; reflexivity).
    intros q Q. unfold rdiv. rewrite Z.mul_0_l. destruct (0 <? q) eqn:E; [apply P; lia|].
    change (- 0) with 0. apply P. lia. }
  assert (D : forall p y, nothing p -> nothing (div p y)).
  { intros p [q|] [-> | ->]; cbn -[rdiv Z.mul]; unfold nothing; auto. destruct (q =? 0) eqn:E; auto.
    rewrite N by lia. auto. }
  destruct (A2 Z0) as [X X']. pose proof (D x y X) as Q. pose proof (D x' y' X') as Q'.
  split; [|split; [|split]]; cbn [harmless what_ zero positive steady quotient_of_nothing]; auto; try discriminate.
  - intros _. destruct Q as [-> | ->], Q' as [-> | ->]; cbn; auto.
  - rewrite !andb_true_iff. intros [[H H'] P]. specialize (A4 H). specialize (B4 H'). destruct (B3 P) as [Y Y'].
    destruct x, x', y, y'; cbn in *; try discriminate; auto.
    destruct (z1 =? 0) eqn:E, (z2 =? 0) eqn:E'; cbn; auto; lia.
Qed.
Lemma capped_sound a b x x' y y' : zero a = true -> positive b = true -> holds_of a x x' -> holds_of b y y' ->
  holds_of (of_nothing a b) (least x y) (least x' y').
Proof.
  intros Z0 P (_ & A2 & _ & A4) (_ & _ & B3 & B4). destruct (A2 Z0) as [X X'], (B3 P) as [Y Y'].
  assert (D : forall p q, nothing p -> above_0 q -> nothing (least p q)).
  { intros p [q|] [-> | ->] L; unfold nothing; cbn in *; auto. rewrite Z.min_l by lia. auto. }
  pose proof (D x y X Y) as Q. pose proof (D x' y' X' Y') as Q'.
  split; [|split; [|split]]; cbn; auto; try discriminate.
  - intros _. destruct Q as [-> | ->], Q' as [-> | ->]; cbn; auto.
  - rewrite andb_true_iff. intros [H H']. specialize (A4 H). specialize (B4 H').
    destruct x, x', y, y'; cbn in *; auto; discriminate.
Qed.
(** 0 has not reached what is above 0. *)
Definition compared c a b :=
  Basis_ Measured (match c with Ge | Gt | Eq => true | _ => false end) false (steady a && steady b).
Lemma compared_sound c a b x x' y y' : zero a = true -> positive b = true -> holds_of a x x' -> holds_of b y y' ->
  holds_of (compared c a b) (compare c x y) (compare c x' y').
Proof.
  intros Z0 P (_ & A2 & _ & A4) (_ & _ & B3 & B4). destruct (A2 Z0) as [X X'], (B3 P) as [Y Y'].
  assert (D : forall p q, nothing p -> above_0 q ->
    compare c p q = None \/ compare c p q = Some (of_bool (match c with Ge | Gt | Eq => false | _ => true end))).
  { intros p [q|] [-> | ->] L; cbn -[of_bool holds] in *; auto. right. do 2 f_equal. destruct c; cbn [holds]; lia. }
  pose proof (D x y X Y) as Q. pose proof (D x' y' X' Y') as Q'.
  split; [|split; [|split]]; cbn [harmless what_ zero positive steady compared].
  - intros _. destruct Q as [-> | ->], Q' as [-> | ->]; cbn; auto.
  - destruct c; try discriminate; intros _; unfold nothing; cbn in *; auto.
  - discriminate.
  - rewrite andb_true_iff. intros [H H']. specialize (A4 H). specialize (B4 H').
    destruct x, x', y, y'; cbn in *; auto; discriminate.
Qed.

(** ** Conditions: none counts as false, so what decides whether it is none decides more *)
Definition as_condition b := if is_measured b && negb (steady b) && negb (zero b)
  then Basis_ Shown false false false else b.
Lemma condition_sound b x x' : bool_value x -> bool_value x' -> holds_of b x x' ->
  harmless (what_ (as_condition b)) = true -> (is_measured b = false -> steady b = true) -> is x scale = is x' scale.
Proof.
  unfold as_condition. intros Bx Bx' (S & Z0 & _ & St) H C.
  destruct (is_measured b) eqn:M, (steady b) eqn:E, (zero b) eqn:F; cbn in H; try discriminate;
    try specialize (C eq_refl); try discriminate;
    try specialize (St eq_refl); try specialize (S H); try (destruct (Z0 eq_refl) as [[-> | ->] [-> | ->]];
      reflexivity).
  all: destruct x, x'; cbn in *; subst; auto; discriminate.
Qed.
Lemma conditional_sound a b c c' x x' y y' z : is c scale = is c' scale -> holds_of a x x' -> holds_of b y y' ->
  (z = true -> nothing (if is c scale then x else y) /\ nothing (if is c' scale then x' else y')) ->
  harmless (what_ a) = true -> harmless (what_ b) = true ->
  holds_of (Basis_ Measured z false (steady a && steady b))
    (if is c scale then x else y) (if is c' scale then x' else y').
Proof.
  intros C (A1 & _ & _ & A4) (B1 & _ & _ & B4) Z0 Ha Hb. rewrite <- C in *. split; [|split; [|split]]; auto; cbn;
    try discriminate; [intros _|rewrite andb_true_iff; intros [H H']]; destruct (is c scale); auto.
Qed.
(** A declared condition selects between two nothings. *)
Lemma declared_conditional_sound a b c c' x x' y y' there_ : holds_of a x x' -> holds_of b y y' ->
  zero a = true -> zero b = true -> (there_ = true ->
    there x = true /\ there x' = true /\ there y = true /\ there y' = true) ->
  holds_of (Basis_ Measured true false there_) (if is c scale then x else y) (if is c' scale then x' else y').
Proof.
  intros (_ & A2 & _) (_ & B2 & _) Za Zb T. destruct (A2 Za) as [X X'], (B2 Zb) as [Y Y'].
  assert (N : nothing (if is c scale then x else y)) by now destruct (is c scale).
  assert (N' : nothing (if is c' scale then x' else y')) by now destruct (is c' scale).
  split; [|split; [|split]]; cbn; auto; try discriminate.
  - intros _. destruct N as [-> | ->], N' as [-> | ->]; cbn; auto.
  - intros H. destruct (T H) as (? & ? & ? & ?). destruct (is c scale), (is c' scale); congruence.
Qed.
(** Whether it is none is harmless only where no declared number decides that. *)
Definition is_there (x : value) : value := match x with None => truth | Some _ => falsity end.
Lemma presence_sound b x x' : steady b = true -> holds_of b x x' -> is_there x = is_there x'.
Proof. intros S (_ & _ & _ & St). specialize (St S). destruct x, x'; cbn in *; auto; discriminate. Qed.
(** `x and y` in a condition, x measured and nothing: never true. *)
Lemma conjunction_never_true a x x' y y' : zero a = true -> bool_value y -> bool_value y' -> holds_of a x x' ->
  is (kand x y) scale = false /\ is (kand x' y') scale = false.
Proof. intros Z0 By By' (_ & A2 & _). destruct (A2 Z0) as [[-> | ->] [-> | ->]]; split; kleene. Qed.
(** As many subjects are chosen on both, and a level of nothing reaches no threshold above 0. *)
Lemma chosen_alike (subjects : list Z) (c c' : Z -> value) :
  (forall s, is (c s) scale = is (c' s) scale) ->
  filter (fun s => is (c s) scale) subjects = filter (fun s => is (c' s) scale) subjects.
Proof. intros H. apply filter_ext. exact H. Qed.

Print Assumptions declared_numbers_are_parameters.
Print Assumptions joined_sound.
Print Assumptions product_sound.
Print Assumptions quotient_sound.
Print Assumptions capped_sound.
Print Assumptions compared_sound.
Print Assumptions condition_sound.
Print Assumptions conditional_sound.
Print Assumptions declared_conditional_sound.
Print Assumptions presence_sound.
Print Assumptions conjunction_never_true.
