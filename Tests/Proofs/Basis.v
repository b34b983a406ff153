(** LAW-10: without facts, declared numbers are parameters.

    An expression has two values: on two datasets without facts that differ only in declared numbers, all above 0, and
    declared Bools. What is declared is missing on both or on neither. *)

From Metricc Require Export Rows Kinds.

Inductive what := Constant | Chosen | Declared | Measured | Shown.
(** What is known of a number, if there is one. *)
Inductive sign := Unknown | NotNegative | Positive.
Record basis := Basis_ { what_ : what; zero : bool; sign_ : sign; steady : bool }.
Definition harmless w := match w with Constant | Chosen | Measured => true | _ => false end.
Definition is_declared b := match what_ b with Declared => true | _ => false end.
Definition is_measured b := match what_ b with Measured => true | _ => false end.

(** The same, or none on one (LAW-10). *)
Definition same (x x' : value) := match x, x' with Some p, Some q => p = q | _, _ => True end.
Definition nothing (x : value) := x = None \/ x = Some 0.
Definition has (s : sign) (x : value) :=
  match s, x with Positive, Some p => 0 < p | NotNegative, Some p => 0 <= p | _, _ => True end.
Definition there (x : value) := match x with Some _ => true | None => false end.
Definition holds_of (b : basis) (x x' : value) : Prop :=
  (harmless (what_ b) = true -> same x x') /\ (zero b = true -> nothing x /\ nothing x')
  /\ (has (sign_ b) x /\ has (sign_ b) x') /\ (steady b = true -> there x = there x').

Theorem declared_numbers_are_parameters b x x' :
  holds_of b x x' -> harmless (what_ b) = true -> x = x' \/ x = None \/ x' = None.
Proof. intros (S & _) H. specialize (S H). destruct x, x'; cbn in S; subst; auto. Qed.

Definition rank w := match w with Constant => 0 | Chosen => 1 | Declared => 2 | Measured => 3 | Shown => 4 end.
Definition worse v w := if rank v <? rank w then w else v.
Definition mixed a b := (is_measured a && is_declared b) || (is_declared a && is_measured b).
(** Operands that decide together: measured beside declared shows it. *)
Definition joined (a b : basis) (zero : bool) (s : sign) :=
  if mixed a b then Basis_ Shown false Unknown false
  else Basis_ (worse (what_ a) (what_ b)) zero s (steady a && steady b).

(** An operation that has a value where both operands have. *)
Definition strict (op : Z -> Z -> Z) := lift2 op.
Theorem joined_sound op a b x x' y y' z s :
  holds_of a x x' -> holds_of b y y' ->
  (z = true -> nothing (strict op x y) /\ nothing (strict op x' y')) ->
  has s (strict op x y) /\ has s (strict op x' y') ->
  holds_of (joined a b z s) (strict op x y) (strict op x' y').
Proof.
  intros (A1 & _ & _ & A4) (B1 & _ & _ & B4) Z0 P. unfold joined. destruct (mixed a b) eqn:M;
    [repeat split; discriminate|].
  split; [|split; [|split]]; auto; cbn [what_ steady].
  - intros H. assert (K : harmless (what_ a) = true /\ harmless (what_ b) = true).
    { unfold mixed, is_measured, is_declared, worse in *.
      destruct (what_ a), (what_ b); cbn in *; auto; discriminate. }
    destruct K as [K K']. specialize (A1 K). specialize (B1 K'). destruct x, x', y, y'; cbn in *; subst; auto.
  - rewrite andb_true_iff. intros [H H']. specialize (A4 H). specialize (B4 H').
    destruct x, x', y, y'; cbn in *; auto; discriminate.
Qed.

Lemma measured_holds z st x x' : same x x' -> (z = true -> nothing x /\ nothing x') ->
  (st = true -> there x = there x') -> holds_of (Basis_ Measured z Unknown st) x x'.
Proof. intros. split; [|split; [|split]]; auto. split; exact I. Qed.
(** What is nothing on both is the same. *)
Lemma nothing_holds st x x' : nothing x -> nothing x' -> (st = true -> there x = there x') ->
  holds_of (Basis_ Measured true Unknown st) x x'.
Proof. intros N N' T. apply measured_holds; auto. destruct N as [-> | ->], N' as [-> | ->]; cbn; auto. Qed.
Lemma nothing_strict op x y : nothing x -> (forall q, y = Some q -> op 0 q = 0) -> nothing (strict op x y).
Proof. intros [-> | ->] H; unfold nothing; destruct y; cbn; auto. rewrite H by auto. auto. Qed.
Lemma strict_there op a b x x' y y' : holds_of a x x' -> holds_of b y y' -> steady a && steady b = true ->
  there (strict op x y) = there (strict op x' y').
Proof.
  intros (_ & _ & _ & A) (_ & _ & _ & B). rewrite andb_true_iff. intros [S S']. specialize (A S). specialize (B S').
  destruct x, x', y, y'; cbn in *; auto.
Qed.
(** x * y and least(x, y), x measured and nothing without facts: y only scales or caps it. *)
Definition of_nothing a b := Basis_ Measured true Unknown (steady a && steady b).
Theorem product_sound a b x x' y y' : zero a = true -> holds_of a x x' -> holds_of b y y' ->
  holds_of (of_nothing a b) (mul x y) (mul x' y').
Proof.
  intros Z0 A B. destruct (proj1 (proj2 A) Z0) as [X X'].
  apply nothing_holds; [apply nothing_strict; auto..|now apply (strict_there _ a b)].
Qed.
Theorem capped_sound a b x x' y y' : zero a = true -> sign_ b <> Unknown -> holds_of a x x' -> holds_of b y y' ->
  holds_of (of_nothing a b) (least x y) (least x' y').
Proof.
  intros Z0 P A B. destruct (proj1 (proj2 A) Z0) as [X X'], (proj1 (proj2 (proj2 B))) as [Y Y'].
  apply nothing_holds; [apply nothing_strict; auto; intros q ->; destruct (sign_ b); cbn in *; congruence || lia..|].
  now apply (strict_there _ a b).
Qed.
Definition is_positive s := match s with Positive => true | _ => false end.
(** A declared divisor that may be 0 decides whether there is a value. *)
Definition quotient_of_nothing a b := Basis_ Measured true Unknown (steady a && steady b && is_positive (sign_ b)).
Theorem quotient_sound a b x x' y y' : zero a = true -> holds_of a x x' -> holds_of b y y' ->
  holds_of (quotient_of_nothing a b) (div x y) (div x' y').
Proof.
  intros Z0 A B. destruct (proj1 (proj2 A) Z0) as [X X'].
  assert (D : forall p y, nothing p -> nothing (div p y)).
  { intros p [q|] [-> | ->]; unfold nothing; cbn -[rdiv Z.mul]; auto. destruct (q =? 0) eqn:E; auto.
    right. f_equal. apply rdiv_0. lia. }
  apply nothing_holds; auto. rewrite andb_true_iff. intros [S P]. apply (strict_there Z.add a b x x' y y' A B) in S.
  destruct (proj1 (proj2 (proj2 B))) as [Y Y']. destruct (sign_ b); try discriminate.
  destruct x, x', y, y'; cbn in *; try discriminate; auto.
  destruct (z1 =? 0) eqn:E, (z2 =? 0) eqn:E'; cbn; auto; lia.
Qed.
(** 0 has not reached what is above 0, and is not above what is 0 or more. *)
Definition compared c a b :=
  Basis_ Measured (match c with Ge | Gt | Eq => true | _ => false end) Unknown (steady a && steady b).
Definition decided c s := match c, s with (Gt | Le), NotNegative | _, Positive => true | _, _ => false end.
Theorem compared_sound c a b x x' y y' :
  zero a = true -> decided c (sign_ b) = true -> holds_of a x x' -> holds_of b y y' ->
  holds_of (compared c a b) (compare c x y) (compare c x' y').
Proof.
  intros Z0 P A B. destruct (proj1 (proj2 A) Z0) as [X X'], (proj1 (proj2 (proj2 B))) as [Y Y'].
  assert (D : forall p q, nothing p -> has (sign_ b) q ->
    compare c p q = None \/ compare c p q = Some (of_bool (match c with Ge | Gt | Eq => false | _ => true end))).
  { intros p [q|] [-> | ->] L; cbn -[of_bool holds] in *; auto. right. do 2 f_equal.
    destruct c, (sign_ b); try discriminate; cbn [holds has] in *; lia. }
  pose proof (D x y X Y) as Q. pose proof (D x' y' X' Y') as Q'.
  apply measured_holds; [| |now apply (strict_there _ a b)].
  - destruct Q as [-> | ->], Q' as [-> | ->]; cbn; auto.
  - destruct c; try discriminate; intros _; unfold nothing; cbn in *; auto.
Qed.

(** ** Signs *)
Definition level s := match s with Unknown => 0 | NotNegative => 1 | Positive => 2 end.
Definition weaker s t := if level s <=? level t then s else t.
Definition stronger s t := if level s <=? level t then t else s.
(** Rounding keeps a product above 0 where a factor is at least 1, and a quotient where the divisor is small enough. *)
Definition rounded (s : sign) (up : bool) := if up then s else weaker s NotNegative.
Lemma product_above_0 p q : 0 < p -> scale <= q -> 0 < rdiv (p * q) scale.
Proof. intros P Q. pose proof (rdiv_scale_mono (p * scale) (p * q) ltac:(nia)).
  rewrite rdiv_exact in * by reflexivity. lia. Qed.
Lemma quotient_above_0 p q : 0 < q <= 2 * (p * scale) -> 0 < rdiv (p * scale) q.
Proof.
  intros Q. rewrite rdiv_cases by lia. destruct (0 <=? p * scale) eqn:E; [|lia].
  assert (1 <= half_up (p * scale) q); [apply Z.div_le_lower_bound|]; lia.
Qed.
Lemma rdiv_not_negative p q : 0 <= p -> 0 < q -> 0 <= rdiv p q.
Proof. intros P Q. rewrite <- (rdiv_0 1) by discriminate. apply rdiv_mono; lia. Qed.
Theorem signs_hold s t x y : has s x -> has t y ->
  (weaker s t <> Unknown -> has (stronger s t) (add x y))
  /\ has (weaker s t) (least x y) /\ has (stronger s t) (greatest x y)
  /\ has (weaker s (weaker t NotNegative)) (mul x y) /\ has (weaker s (weaker t NotNegative)) (div x y)
  /\ forall c, has (weaker s t) (pick c x y).
Proof.
  pose proof rdiv_not_negative as D.
  intros X Y. repeat split; try (intros c; unfold pick; destruct (is c scale)); destruct x as [p|], y as [q|], s, t;
    cbn -[rdiv Z.mul] in *; auto; try lia; try congruence; try (apply D; [nia|reflexivity]);
    destruct (q =? 0) eqn:E; auto; apply D; unfold scale; lia.
Qed.
Example a_product_of_0 : mul (Some 100) (Some 100) = Some 0. Proof. reflexivity. Qed.

(** ** Conditions: none counts as false, so what decides whether it is none decides more *)
Definition as_condition b := if is_measured b && negb (steady b) && negb (zero b)
  then Basis_ Shown false Unknown false else b.
Theorem condition_sound b x x' : bool_value x -> bool_value x' -> holds_of b x x' ->
  harmless (what_ (as_condition b)) = true -> (is_measured b = false -> steady b = true) -> is x scale = is x' scale.
Proof.
  unfold as_condition. intros Bx Bx' (S & Z0 & _ & St) H C.
  destruct (is_measured b) eqn:M, (steady b) eqn:E, (zero b) eqn:F; cbn in H; try discriminate;
    try specialize (C eq_refl); try discriminate;
    try specialize (St eq_refl); try specialize (S H); try (destruct (Z0 eq_refl) as [[-> | ->] [-> | ->]];
      reflexivity).
  all: destruct x, x'; cbn in *; subst; auto; discriminate.
Qed.
Theorem conditional_sound a b c c' x x' y y' z : is c scale = is c' scale -> holds_of a x x' -> holds_of b y y' ->
  (z = true -> nothing (if is c scale then x else y) /\ nothing (if is c' scale then x' else y')) ->
  harmless (what_ a) = true -> harmless (what_ b) = true ->
  holds_of (Basis_ Measured z Unknown (steady a && steady b))
    (if is c scale then x else y) (if is c' scale then x' else y').
Proof.
  intros C (A1 & _ & _ & A4) (B1 & _ & _ & B4) Z0 Ha Hb. rewrite <- C in *. apply measured_holds; auto;
    [|rewrite andb_true_iff; intros [H H']]; destruct (is c scale); auto.
Qed.
(** A declared condition selects between two nothings. *)
Theorem declared_conditional_sound a b c c' x x' y y' there_ : holds_of a x x' -> holds_of b y y' ->
  zero a = true -> zero b = true -> (there_ = true ->
    there x = true /\ there x' = true /\ there y = true /\ there y' = true) ->
  holds_of (Basis_ Measured true Unknown there_) (if is c scale then x else y) (if is c' scale then x' else y').
Proof.
  intros (_ & A2 & _) (_ & B2 & _) Za Zb T. destruct (A2 Za), (B2 Zb).
  apply nothing_holds; [destruct (is c scale)|destruct (is c' scale)|]; auto.
  intros Th. destruct (T Th) as (? & ? & ? & ?). destruct (is c scale), (is c' scale); congruence.
Qed.
(** Whether it is none is harmless only where no declared number decides that. *)
Theorem presence_sound b x x' : steady b = true -> holds_of b x x' -> is_none x = is_none x'.
Proof. intros S (_ & _ & _ & St). specialize (St S). destruct x, x'; cbn in *; auto; discriminate. Qed.
(** `x and y` in a condition, x measured and nothing: never true. *)
Theorem conjunction_never_true a x x' y y' : zero a = true -> bool_value y -> bool_value y' -> holds_of a x x' ->
  is (kand x y) scale = false /\ is (kand x' y') scale = false.
Proof. intros Z0 By By' (_ & A2 & _). destruct (A2 Z0) as [[-> | ->] [-> | ->]]; split; kleene. Qed.

(** ** Leaves: two datasets without facts *)

(** Literals, `day`, a chosen text or day, the number of subjects: the same on both. *)
Lemma alike_holds v z s x : (z = true -> nothing x) -> has s x -> holds_of (Basis_ v z s true) x x.
Proof. intros Z P. repeat split; auto. intros _. now destruct x. Qed.
(** A declared number or Bool is missing on both or on neither. *)
Lemma declared_holds s x x' : there x = there x' -> has s x -> has s x' -> holds_of (Basis_ Declared false s true) x x'.
Proof. intros T P P'. repeat split; auto; discriminate. Qed.
(** An aggregate over facts, of whatever number. *)
Theorem facts_hold l w w' : of_setting l = false -> facts w = [] -> facts w' = [] ->
  holds_of (Basis_ Measured true Unknown true) (leaf_value l w) (leaf_value l w').
Proof.
  intros O F F'. assert (E : forall v, facts v = [] -> seen l v = []) by (intros v V; unfold seen, records_of;
    now rewrite O, V).
  assert (K : leaf_value l w = leaf_value l w' /\ nothing (leaf_value l w)).
  { by_seen. fold (seen l w) (seen l w'). rewrite !E by auto. split; auto. unfold nothing. destruct (fn l); auto. }
  destruct K as [K N]. rewrite <- K. now apply alike_holds.
Qed.
(** What is read of a completion of which no window is complete. *)
Theorem windows_hold epoch prev when rest present tiles inside read high up w w' :
  let st := Basis_ Measured true Unknown true in
  reads read high -> never_done when present w -> never_done when present w' ->
  holds_of st (reading epoch prev when rest present read w) (reading epoch prev when rest present read w')
  /\ holds_of st (count_value epoch prev when rest present tiles inside w)
       (count_value epoch prev when rest present tiles inside w')
  /\ holds_of st (day_done epoch when present inside up w) (day_done epoch when present inside up w').
Proof.
  intros st R N N'. unfold reading, count_value. rewrite !(reads_nothing epoch prev when rest present read high) by auto.
  rewrite !never_counted, !never_held by auto.
  split; [|split]; apply alike_holds; unfold nothing; cbn; auto.
Qed.
(** What is made of numbers of one sign: of settings, of subjects and of days. Of none a sum is 0, and so is the
    deviation of equal ones. *)
Definition lies_within f := takes_one f || match f with Average => true | _ => false end.
Definition made f s := if lies_within f then s else weaker s NotNegative.
Lemma has_level s z : s <> Unknown -> has s (Some z) <-> level s - 1 <= z.
Proof. destruct s; cbn; [congruence|lia..]. Qed.
Theorem made_of f s xs : (forall z, In z xs -> has s (Some z)) -> has (made f s) (of_rows f xs).
Proof.
  intros P. destruct (of_rows f xs) as [z|] eqn:E; [|now destruct (made f s)].
  assert (C : s = Unknown \/ s <> Unknown) by (destruct s; [now left|right..]; discriminate).
  destruct C as [->|K]; [now destruct f|].
  assert (W : forall y, In y xs -> level s - 1 <= y <= greatest_of xs)
    by (intros y Y; split; [now apply has_level, P|now apply greatest_ge]).
  assert (L : weaker s NotNegative = NotNegative) by now destruct s.
  destruct (takes_one f) eqn:T.
  { replace (made f s) with s by (destruct f; try discriminate; reflexivity). exact (P z (of_rows_in _ _ _ T E)). }
  destruct f; try discriminate; unfold made; cbn [lies_within takes_one orb]; rewrite ?L; cbn [of_rows of_list has] in *.
  - assert (0 <= different xs) by (unfold different, size; lia). replace z with (scale * different xs) by congruence.
    unfold scale. lia.
  - injection E as <-. pose proof (total_between _ _ _ W) as B. assert (0 <= size xs) by (unfold size; lia).
    destruct s; cbn [level] in *; congruence || nia.
  - apply has_level; auto. now apply (average_between _ _ _ _ W).
  - now apply stddev_nonneg in E.
Qed.
Theorem settings_have l s w : fn l <> First -> fn l <> Last -> (forall z, In z (elements l w) -> has s (Some z)) ->
  has (made (fn l) s) (leaf_value l w).
Proof.
  intros F L P. assert (N : forall k, 0 <= k -> has (weaker s NotNegative) (Some (scale * k)))
    by (intros k K; destruct s; cbn -[scale Z.mul] in *; auto; unfold scale; lia).
  assert (E : forall g, has s (earliest_number g l w)).
  { intros g. pose proof (earliest_spec g l w). destruct (earliest_number g l w); auto. now destruct s. }
  pose proof (made_of (fn l) s _ P) as M. unfold leaf_value.
  destruct (fn l); try congruence; auto; apply N; unfold different, size; lia.
Qed.
Example sum_of_none : of_list Sum [] = Some 0 /\ of_list Stddev [5; 5] = Some 0. Proof. split; reflexivity. Qed.

(** Rows: subjects, or days. What is the same on each row that is taken, if any, is the same of all; what is nothing on
    each is nothing, but for `distinct`. Which rows are taken, no declared number decides. *)
Section Held.
Variables (rows : list Z) (c c' : Z -> bool) (n n' : Z -> value) (b : basis) (f : function).
Hypothesis alike : forall s, c s = c' s.
Hypothesis hold : forall s, c s = true -> holds_of b (n s) (n' s).
Theorem same_rows_hold : harmless (what_ b) = true -> steady b = true -> parts rows c n = parts rows c' n'.
Proof.
  intros H S. unfold parts. induction rows as [|s ss IH]; cbn; [reflexivity|]. rewrite IH. f_equal. unfold part.
  rewrite <- alike. destruct (c s) eqn:C; auto. destruct (hold s C) as (A & _ & _ & T). specialize (A H).
    specialize (T S).
  destruct (n s), (n' s); cbn in *; congruence.
Qed.
Lemma nothing_rows xs : of_row_numbers f -> f <> Distinct -> (forall z, In z xs -> z = 0) -> nothing (of_rows f xs).
Proof.
  intros N D Z. destruct (of_rows f xs) as [z|] eqn:E; [right; f_equal|now left].
  destruct (takes_one f) eqn:T; [exact (Z z (of_rows_in _ _ _ T E))|].
  destruct f; try destruct N; try discriminate; try congruence; cbn [of_rows of_list] in E.
  - injection E as <-. now apply total_0.
  - apply (average_between xs 0 0) in E; [lia|]. intros y I. rewrite (Z y I). lia.
  - unfold stddev in E. rewrite (total_0 xs Z), (total_0 (map _ _)) in E;
      [destruct xs; [discriminate|now injection E as <-]|].
    intros y I. apply in_map_iff in I. destruct I as (x & <- & I). rewrite (Z x I). lia.
Qed.
Theorem rows_hold : of_row_numbers f -> f <> Distinct -> zero b = true ->
  nothing (of_rows f (parts rows c n)) /\ nothing (of_rows f (parts rows c' n')).
Proof.
  intros N D Z. split; apply nothing_rows; auto; intros z I; apply in_parts in I; destruct I as (s & _ & C & E);
    try rewrite <- alike in C; destruct (hold s C) as (_ & H & _); destruct (H Z) as [[] []]; congruence.
Qed.
End Held.
(** A level, where no declared number decides whether there is a number, or none reaches no threshold more than 0. *)
Theorem level_holds ts b x x' : holds_of b x x' -> harmless (what_ b) = true ->
  steady b = true \/ zero b = true /\ (forall t, In t ts -> 0 < t) -> level_value ts x = level_value ts x'.
Proof.
  intros (S & N0 & _ & T) H [St|[Z0 P]].
  - specialize (S H). specialize (T St). destruct x, x'; cbn in *; congruence.
  - assert (R : reached_by ts 0 = 0).
    { unfold reached_by. replace (filter _ ts) with (@nil Z); [reflexivity|]. clear - P.
      induction ts as [|t ts IH]; cbn; auto. pose proof (P t (or_introl eq_refl)). replace (t <=? 0) with false by lia.
      apply IH. intros u I. apply P. now right. }
    destruct (N0 Z0) as [[-> | ->] [-> | ->]]; unfold level_value; now rewrite ?R.
Qed.
(** `for S where E` of a declared E leaves out what is nothing. *)
Theorem some_subjects_hold b (e e' : bool) x x' : zero b = true -> holds_of b x x' ->
  holds_of (Basis_ Measured true Unknown false) (if e then x else None) (if e' then x' else None).
Proof.
  intros Z (_ & H & _). destruct (H Z). apply nothing_holds; [destruct e|destruct e'|discriminate]; unfold nothing;
    auto.
Qed.
