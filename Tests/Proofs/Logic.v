(** Comparisons, `and`, `or`, `not`, `is none`, and the crossing between the branches of an `if`. *)

From Metricc Require Export Moves.

Inductive comparison := Eq | Ne | Lt | Le | Gt | Ge.

Definition holds (c : comparison) (p q : Z) : bool :=
  match c with
  | Eq => p =? q | Ne => negb (p =? q)
  | Lt => p <? q | Le => p <=? q | Gt => q <? p | Ge => q <=? p
  end.
Definition of_bool (b : bool) : Z := if b then scale else 0.
Definition compare c := lift2 (fun p q => of_bool (holds c p q)).

Definition inverse c := match c with Eq => Ne | Ne => Eq | Lt => Ge | Ge => Lt | Le => Gt | Gt => Le end.
Definition can_hold c (a b : values) : bool :=
  match c with
  | Lt => low a <? high b | Le => low a <=? high b | Gt => low b <? high a | Ge => low b <=? high a
  | Eq => (low a <=? high b) && (low b <=? high a)
  | Ne => negb ((low a =? high a) && (low b =? high b) && (low a =? low b))
  end.
(** Days and texts have no bounds to decide by. *)
Definition vcompare (numbers : bool) c a b :=
  if numbers
  then with_bounds a b (if can_hold (inverse c) a b then 0 else scale) (if can_hold c a b then scale else 0)
  else with_bounds a b 0 scale.

Definition at_least m n :=
  let a := appears m || appears n in
  let v := vanishes m || vanishes n in
  let up := rises m || falls n in
  let down := falls m || rises n in
  M (up || a) (down || v) (down || a) (up || v).

(** An equality that is an order by its ranges is compared as one ([ordered] of [Core.v]). *)
Definition compare_moves c m n :=
  if is_empty m && is_empty n then none_moves
  else match c with Ge | Gt => at_least m n | Le | Lt => at_least n m | Eq | Ne => all_moves end.

Definition meet a b :=
  M (rises a && rises b) (falls a && falls b) (appears a && appears b) (vanishes a && vanishes b).
(** Where it has one value, only a side that appears or vanishes moves it. *)
Definition fixed_moves (known : values) mv m n :=
  if low known =? high known
  then meet mv (M (appears m || appears n) (vanishes m || vanishes n) (appears m || appears n)
                  (vanishes m || vanishes n))
  else mv.

Lemma is_of_bool_true b : (of_bool b =? scale) = b. Proof. destruct b; reflexivity. Qed.
Lemma is_of_bool_false b : (of_bool b =? 0) = negb b. Proof. destruct b; reflexivity. Qed.

Lemma can_hold_sound c a b p q :
  low a <= p <= high a -> low b <= q <= high b -> holds c p q = true -> can_hold c a b = true.
Proof. destruct c; cbn; lia. Qed.
Lemma holds_inverse c p q : holds (inverse c) p q = negb (holds c p q).
Proof. destruct c; cbn; lia. Qed.

Lemma vcompare_sound numbers c a b x y :
  within a x -> within b y -> within (vcompare numbers c a b) (compare c x y).
Proof.
  unfold vcompare, compare, lift2, within. intros Ha Hb.
  destruct x as [p|], y as [q|], numbers; cbn -[of_bool can_hold scale];
    try (rewrite ?Ha, ?Hb, ?orb_true_r; reflexivity);
    destruct Ha as [-> ?], Hb as [-> ?]; split; auto.
  - pose proof (can_hold_sound c a b p q H H0) as H1.
    pose proof (can_hold_sound (inverse c) a b p q H H0) as H2. rewrite holds_inverse in H2.
    destruct (holds c p q); cbn [negb of_bool] in *;
      [rewrite H1 by auto; destruct (can_hold (inverse c) a b)
      |rewrite H2 by auto; destruct (can_hold c a b)]; unfold scale; lia.
  - destruct (holds c p q); unfold of_bool, scale; lia.
Qed.

Ltac compare_cases :=
  unfold ok_bool, ok_number, compare, lift2, is, at_least in *;
  repeat match goal with x : value |- _ => destruct x end; cbn -[of_bool scale] in *;
  rewrite ?is_of_bool_true, ?is_of_bool_false; bits; rewrite ?orb_true_iff;
  repeat split; intros; split_all; by_order; rewrite ?negb_true_iff, ?negb_false_iff in *;
  try discriminate; try tauto; try (exfalso; lia).

Lemma at_least_moves m n x x' y y' : ok_number m x x' -> ok_number n y y' ->
  ok_bool (at_least m n) (compare Ge x y) (compare Ge x' y')
  /\ ok_bool (at_least m n) (compare Gt x y) (compare Gt x' y').
Proof. intros. split; compare_cases. Qed.
Lemma flip_le x y : compare Le x y = compare Ge y x. Proof. destruct x, y; reflexivity. Qed.
Lemma flip_lt x y : compare Lt x y = compare Gt y x. Proof. destruct x, y; reflexivity. Qed.
Lemma all_ok x x' : ok_bool all_moves x x'. Proof. repeat split. Qed.
Lemma same_ok m x : ok_bool m x x.
Proof. repeat split; intros H H'; rewrite H in H'; discriminate. Qed.

(** ** not *)
Definition not (x : value) : value := option_map (fun p => scale - p) x.
Definition vnot (v : values) := V (may_none v) (may_present v) (scale - high v) (scale - low v).
Lemma vnot_sound v x : within v x -> within (vnot v) (not x).
Proof. unfold within, vnot, not. destruct x; cbn -[scale]; intuition lia. Qed.
Lemma not_says x : is (not x) scale = is x 0 /\ is (not x) 0 = is x scale.
Proof. destruct x as [z|]; cbn -[scale]; split; auto; lia. Qed.
Lemma not_moves m x x' : ok_bool m x x' -> ok_bool (of_negation m) (not x) (not x').
Proof. unfold ok_bool. rewrite !(proj1 (not_says _)), !(proj2 (not_says _)). bits. tauto. Qed.

Lemma compare_moves_sound c m n x x' y y' : ok_number m x x' -> ok_number n y y' ->
  ok_bool (compare_moves c m n) (compare c x y) (compare c x' y').
Proof.
  intros M N. unfold compare_moves. destruct (is_empty m && is_empty n) eqn:E.
  - apply andb_prop in E. destruct E.
    rewrite (empty_same m x x'), (empty_same n y y') by assumption. apply same_ok.
  - destruct c; try apply all_ok; rewrite ?flip_lt, ?flip_le; now apply at_least_moves.
Qed.

Lemma fixed_moves_sound known c mv m n x x' y y' :
  within known (compare c x y) -> within known (compare c x' y') ->
  ok_number m x x' -> ok_number n y y' -> ok_bool mv (compare c x y) (compare c x' y') ->
  ok_bool (fixed_moves known mv m n) (compare c x y) (compare c x' y').
Proof.
  unfold fixed_moves. destruct (low known =? high known) eqn:E; auto. apply Z.eqb_eq in E.
  intros Hk Hk' Hm Hn Hmv.
  destruct x as [p|], y as [q|], x' as [p'|], y' as [q'|]; cbn -[of_bool scale] in *;
    try (replace (of_bool (holds c p q)) with (of_bool (holds c p' q')) by lia; apply same_ok);
    unfold ok_bool, is in *; bits; cbn [meet rises falls appears vanishes] in *;
    rewrite ?andb_true_iff, ?orb_true_iff; intuition discriminate.
Qed.

(** ** and, or: Kleene's minimum and maximum *)
Definition kand (x y : value) : value :=
  if is x 0 || is y 0 then falsity else if is x scale && is y scale then truth else None.
Definition kor (x y : value) : value := not (kand (not x) (not y)).

Definition logic (decides : Z) (f : Z -> Z -> Z) (a b : values) :=
  let decided v := negb (may_none v) && (low v =? decides) && (high v =? decides) in
  if decided a || decided b then exactly decides
  else
    let none := may_none a || may_none b in
    let l := f (low a) (low b) in
    let h := f (high a) (high b) in
    V none true (if none then Z.min l decides else l) (if none then Z.max h decides else h).
Definition vand := logic 0 Z.min.
Definition vor := logic scale Z.max.

Ltac logic_cases :=
  repeat match goal with v : values |- _ => destruct v as [[] [] ? ?] end;
  repeat match goal with H : bool_value _ |- _ => destruct H as [->|[->| ->]] end;
  unfold truth, falsity, scale in *; cbn -[Z.min Z.max] in *; split_all; try discriminate;
  try match goal with |- context [if ?b then _ else _] => destruct b eqn:? end;
  cbn -[Z.min Z.max]; try reflexivity; try (split; [reflexivity|]);
  try discriminate; try lia; try (exfalso; lia).

Lemma vand_sound a b x y :
  bool_value x -> bool_value y -> within a x -> within b y -> within (vand a b) (kand x y).
Proof.
  unfold vand, logic, within, kand, falsity, truth. intros Hx Hy Ha Hb.
  logic_cases.
Qed.
Lemma vor_sound a b x y :
  bool_value x -> bool_value y -> within a x -> within b y -> within (vor a b) (kor x y).
Proof.
  unfold vor, logic, within, kor, kand, not, falsity, truth. intros Hx Hy Ha Hb.
  logic_cases.
Qed.

Ltac kleene :=
  unfold bool_value, falsity, truth in *;
  repeat match goal with H : _ = None \/ _ |- _ => destruct H as [->|[->| ->]] end;
  unfold ok_bool in *; cbn in *; bits; split_all; intros; rewrite ?orb_true_iff; try discriminate;
  intuition.

Lemma and_moves m n x x' y y' :
  bool_value x -> bool_value x' -> bool_value y -> bool_value y' ->
  ok_bool m x x' -> ok_bool n y y' -> ok_bool (union m n) (kand x y) (kand x' y').
Proof. intros. kleene. Qed.
Lemma or_moves m n x x' y y' :
  bool_value x -> bool_value x' -> bool_value y -> bool_value y' ->
  ok_bool m x x' -> ok_bool n y y' -> ok_bool (union m n) (kor x y) (kor x' y').
Proof. intros. kleene. Qed.
