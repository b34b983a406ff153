(** Point by point: one value never above another; *Growth*: one rises by no more than another does. *)

From Metricc Require Export Scopes.

(** Where both are present. *)
Definition le (x y : value) : Prop := match x, y with Some p, Some q => p <= q | _, _ => True end.

Ltac cases := unfold le, least, greatest, add, sub, floor, lift2 in *;
  repeat match goal with x : value |- _ => destruct x end; cbn in *; intros; auto; try lia.

(** ** Forms *)
Lemma le_range a b x y : within a x -> within b y -> high a <= low b -> le x y.
Proof. cases. Qed.
Lemma least_le x y : le (least x y) x. Proof. cases. Qed.
Lemma greatest_le_all x y z : le x z -> le y z -> le (greatest x y) z. Proof. cases. Qed.
Lemma le_greatest x y : le x (greatest x y). Proof. cases. Qed.
Lemma le_least x y z : le x y -> le x z -> le x (least y z). Proof. cases. Qed.
Lemma le_some_operand x y z w : le x z -> le y z -> le (least x w) z /\ le x (greatest z w) /\ le (least w x) z.
Proof. cases. Qed.
Lemma minus_le x y z v : le x z -> within v y -> 0 <= low v -> le (sub x y) z. Proof. cases. Qed.
Lemma le_plus x y z v : le x z -> within v y -> 0 <= low v -> le x (add z y). Proof. cases. Qed.
Lemma floor_below x z : le x z -> le (floor x) z.
Proof. destruct x as [p|], z as [q|]; cbn; auto. pose proof (floor_le p). lia. Qed.
Lemma add_le x y x' y' : le x x' -> le y y' -> le (add x y) (add x' y'). Proof. cases. Qed.
Lemma if_le c x y z : le x z -> le y z -> le (pick c x y) z. Proof. unfold pick. now destruct (is _ _). Qed.
Lemma le_if c x y z : le z x -> le z y -> le z (pick c x y). Proof. unfold pick. now destruct (is _ _). Qed.
Lemma threshold_le x p q : q <= p -> le (compare Ge x (Some p)) (compare Ge x (Some q)).
Proof.
  intros L. destruct x as [z|]; cbn; auto. destruct (p <=? z) eqn:E, (q <=? z) eqn:F; cbn; unfold scale; lia.
Qed.

(** An equality of sides of which one is never above the other is an order. *)
Lemma equality_is_order x y : le y x ->
  compare Eq x y = compare Le x y /\ compare Ne x y = compare Gt x y.
Proof. destruct x as [p|], y as [q|]; cbn; auto. intros H. split; do 2 f_equal; lia. Qed.

(** ** Aggregates: [l] sees some of the facts that [k] sees *)
Definition some_of l k w := within_list (seen l w) (seen k w).
Lemma some_of_period l k w : of_setting l = of_setting k ->
  (forall f, keep l f = true -> keep k f = true) ->
  (forall d, in_period l (today w) d = true -> in_period k (today w) d = true) -> some_of l k w.
Proof.
  intros O K P. unfold some_of, seen, records_of. rewrite O. destruct (of_setting k);
    (apply within_filter; [apply within_refl|]); intros f; rewrite !andb_true_iff; intuition.
Qed.
Lemma within_flat_both {A} (f : A -> list Z) xs ys : within_list xs ys -> within_list (flat_map f xs) (flat_map f ys).
Proof. apply within_flat_map. Qed.

Section Within.
Variables (l k : leaf) (w : world).
Hypothesis W : some_of l k w.
Lemma fewer : size (seen l w) <= size (seen k w). Proof. now apply within_length. Qed.
Lemma fewer_days : size (nodup Z.eq_dec (days_seen l w)) <= size (nodup Z.eq_dec (days_seen k w)).
Proof. apply nodup_grows. unfold days_seen. now apply incl_map, within_incl. Qed.
Lemma nodup_size (xs : list Z) : size (nodup Z.eq_dec xs) <= size xs.
Proof. unfold size. apply inj_le, NoDup_incl_length; [apply NoDup_nodup|]. intros x. now rewrite nodup_In. Qed.
Lemma days_of_count : size (nodup Z.eq_dec (days_seen l w)) <= size (seen k w).
Proof. pose proof (nodup_size (days_seen l w)). pose proof fewer. unfold days_seen, size in *.
  rewrite map_length in *. lia. Qed.
Lemma distinct_of_count : (forall f, (length (arg l f) <= 1)%nat) ->
  size (nodup Z.eq_dec (elements l w)) <= size (seen k w).
Proof.
  intros A. pose proof (nodup_size (elements l w)). pose proof fewer.
  assert (size (elements l w) <= size (seen l w)); [|lia].
  unfold elements, size. clear - A. generalize (seen l w). intros fs.
  induction fs as [|f fs IH]; cbn [flat_map length]; [lia|]. rewrite app_length.
  specialize (A f). lia.
Qed.
Hypothesis same : arg l = arg k.
Let elements_within : within_list (elements l w) (elements k w).
Proof. unfold elements. rewrite same. now apply within_flat_map. Qed.
Lemma fewer_values : size (nodup Z.eq_dec (elements l w)) <= size (nodup Z.eq_dec (elements k w)).
Proof. apply nodup_grows, within_incl, elements_within. Qed.
Lemma max_le : le (extreme Z.max (elements l w)) (extreme Z.max (elements k w)).
Proof.
  pose proof (max_grows _ _ (within_incl _ _ elements_within)) as M. unfold le. destruct (extreme _ _) as [p|]; auto.
  destruct (extreme _ _) as [q|]; auto. cbn in M. destruct M as [_ M]. destruct (Z_lt_dec q p); [|lia].
  specialize (M ltac:(lia)). discriminate.
Qed.
Lemma min_ge : le (extreme Z.min (elements k w)) (extreme Z.min (elements l w)).
Proof.
  pose proof (min_grows _ _ (within_incl _ _ elements_within)) as M. unfold le.
  destruct (extreme Z.min (elements k w)) as [q|]; auto. destruct (extreme Z.min (elements l w)) as [p|]; auto.
  cbn in M. destruct M as [M _]. destruct (Z_lt_dec p q); [|lia]. specialize (M ltac:(lia)). discriminate.
Qed.
Lemma sum_le : Forall (fun z => 0 <= z) (elements k w) -> total (elements l w) <= total (elements k w).
Proof. intros. now apply within_total_up. Qed.
Lemma total_member xs x : Forall (fun z => 0 <= z) xs -> In x xs -> x <= total xs.
Proof.
  intros F I. change x with (total [x]) || idtac. assert (L : within_list [x] xs).
  { induction xs as [|y ys IH]; [destruct I|]. inversion F; subst.
    destruct I as [->|I]; [apply keep_one|apply skip; auto].
    clear. induction ys; constructor; auto. }
  apply within_total_up in L; auto. cbn in L. lia.
Qed.
Lemma extreme_le_sum f x : f = Z.min \/ f = Z.max -> Forall (fun z => 0 <= z) (elements k w) ->
  extreme f (elements l w) = Some x -> x <= total (elements k w).
Proof.
  intros Hf F E. apply total_member; auto. apply (within_incl _ _ elements_within). eapply extreme_in; eauto.
Qed.
(** min ≤ average, percentile ≤ max, of the same facts or where the extreme reads more of them. *)
Lemma min_le_percentile p : le (extreme Z.min (elements k w)) (percentile p (elements l w)).
Proof.
  destruct (percentile p (elements l w)) as [z|] eqn:E; [|destruct (extreme _ _); exact I]. apply percentile_in in E.
  destruct (extreme Z.min (elements k w)) as [m|] eqn:M; cbn; auto.
  apply (least_is_least _ _ _ M), (within_incl _ _ elements_within), E.
Qed.
Lemma percentile_le_max p : le (percentile p (elements l w)) (extreme Z.max (elements k w)).
Proof.
  destruct (percentile p (elements l w)) as [z|] eqn:E; [|destruct (extreme _ _); exact I]. apply percentile_in in E.
  destruct (extreme Z.max (elements k w)) as [m|] eqn:M; cbn; auto.
  apply (greatest_is_greatest _ _ _ M), (within_incl _ _ elements_within), E.
Qed.
Lemma average_between m n : elements l w <> [] ->
  extreme Z.min (elements k w) = Some m -> extreme Z.max (elements k w) = Some n ->
  m <= rdiv (total (elements l w)) (size (elements l w)) <= n.
Proof.
  intros N M X. assert (P : forall z, In z (elements l w) -> m <= z <= n).
  { intros z H. apply (within_incl _ _ elements_within) in H.
    split; [eapply least_is_least|eapply greatest_is_greatest]; eauto. }
  pose proof (total_between _ _ _ P). assert (0 < size (elements l w))
    by (unfold size; destruct (elements l w); [congruence|cbn [length]; lia]).
  assert (rdiv (m * size (elements l w)) (size (elements l w)) <= rdiv (total (elements l w)) (size (elements l w)))
    by (apply rdiv_mono; nia).
  assert (rdiv (total (elements l w)) (size (elements l w)) <= rdiv (n * size (elements l w)) (size (elements l w)))
    by (apply rdiv_mono; nia).
  now rewrite !rdiv_exact in *.
Qed.
Lemma min_le_max x : In x (elements l w) -> le (extreme Z.min (elements l w)) (extreme Z.max (elements k w))
  /\ le (extreme Z.min (elements k w)) (extreme Z.max (elements l w)).
Proof.
  intros H. pose proof (within_incl _ _ elements_within x H) as H'. split.
  - destruct (extreme Z.min _) as [p|] eqn:E, (extreme Z.max _) as [q|] eqn:F; cbn; auto.
    pose proof (least_is_least _ _ _ E H). pose proof (greatest_is_greatest _ _ _ F H'). lia.
  - destruct (extreme Z.min _) as [p|] eqn:E, (extreme Z.max _) as [q|] eqn:F; cbn; auto.
    pose proof (least_is_least _ _ _ E H'). pose proof (greatest_is_greatest _ _ _ F H). lia.
Qed.
(** Where [k] has no facts, [l] has none, and the value of no data. *)
Lemma empty_within : seen k w = [] -> seen l w = [].
Proof. intros E. apply incl_l_nil. rewrite <- E. now apply within_incl. Qed.
End Within.

(** ** Growth: before and after facts are added, x goes to x' and y to y' *)
Definition grows (x x' y y' : value) : Prop :=
  match x, x', y, y' with Some p, Some p', Some q, Some q' => p' - p <= q' - q | _, _, _, _ => True end.
Definition still_or_up (y y' : value) := match y, y' with Some q, Some q' => q <= q' | _, _ => True end.
Ltac growth := unfold grows, still_or_up in *; cases.

Lemma row_never_falls m y y' : ok_number m y y' -> falls m = false -> still_or_up y y'.
Proof.
  destruct y as [p|], y' as [q|]; cbn; auto. intros H F. destruct (Z_lt_dec q p); [|lia].
  rewrite (proj2 H) in F by auto. discriminate.
Qed.
Lemma row_never_rises m y y' : ok_number m y y' -> rises m = false -> still_or_up y' y.
Proof.
  destruct y as [p|], y' as [q|]; cbn; auto. intros H F. destruct (Z_lt_dec p q); [|lia].
  rewrite (proj1 H) in F by auto. discriminate.
Qed.
Lemma grows_same x x' : grows x x' x x'. Proof. growth. Qed.
Lemma grows_apart x x' y y' : still_or_up x' x -> still_or_up y y' -> grows x x' y y'. Proof. growth. Qed.
Lemma grows_least x x' y y' z z' : grows x x' z z' -> grows y y' z z' -> grows (least x y) (least x' y') z z'.
Proof. growth. Qed.
Lemma grows_greatest x x' y y' z z' : grows x x' z z' -> grows y y' z z' -> grows (greatest x y) (greatest x' y') z z'.
Proof. growth. Qed.
Lemma grows_by_least x x' y y' z z' : grows z z' x x' -> grows z z' y y' -> grows z z' (least x y) (least x' y').
Proof. growth. Qed.
Lemma grows_by_greatest x x' y y' z z' : grows z z' x x' -> grows z z' y y' ->
  grows z z' (greatest x y) (greatest x' y').
Proof. growth. Qed.
Lemma grows_plus x x' y y' z z' : grows x x' z z' -> still_or_up y' y -> grows (add x y) (add x' y') z z'.
Proof. growth. Qed.
Lemma grows_minus x x' y y' z z' : grows x x' z z' -> still_or_up y y' -> grows (sub x y) (sub x' y') z z'.
Proof. growth. Qed.
Lemma grows_by_plus x x' y y' z z' : grows z z' x x' -> still_or_up y y' -> grows z z' (add x y) (add x' y').
Proof. growth. Qed.
Lemma grows_by_minus x x' y y' z z' : grows z z' x x' -> still_or_up y' y -> grows z z' (sub x y) (sub x' y').
Proof. growth. Qed.
(** A whole step of x takes the next whole number at most once. *)
Lemma grows_floor y y' p p' : (scale | p) -> (scale | p') -> grows y y' (Some p) (Some p') ->
  grows (floor y) (floor y') (Some p) (Some p').
Proof.
  intros [k ->] [k' ->]. destruct y as [z0|], y' as [z|]; cbn; auto. intros G. unfold floor_z.
  pose proof (Z.mod_pos_bound z scale ltac:(reflexivity)).
  assert (z - z mod scale <= z0 - z0 mod scale + (k' - k) * scale); [|lia].
  pose proof (Z.div_mod z scale ltac:(discriminate)). pose proof (Z.div_mod z0 scale ltac:(discriminate)).
  assert (z / scale <= z0 / scale + (k' - k)); [|unfold scale in *; lia].
  rewrite <- Z.div_add by discriminate. apply Z.div_le_mono; [reflexivity|lia].
Qed.
(** A part of x rises by no more than x, also rounded; a multiple rises at least as much. *)
Lemma half_up_shift n d k : 0 < d -> half_up (n + k * d) d = half_up n d + k.
Proof. intros D. unfold half_up. replace (2 * (n + k * d) + d) with (2 * n + d + k * (2 * d)) by lia.
  apply Z.div_add. lia. Qed.
Lemma half_up_part p q a b : 0 <= a <= b -> 0 < b -> 0 <= p <= q -> half_up (q * a) b - half_up (p * a) b <= q - p.
Proof.
  intros A B P. assert (E : (q - p) * a <= (q - p) * b) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (half_up (q * a) b <= half_up (p * a + (q - p) * b) b)
    by (apply half_up_mono; [lia|lia|apply Z.mul_nonneg_nonneg; lia|apply Z.mul_le_mono_nonneg_r; lia]).
  rewrite half_up_shift in * by auto. lia.
Qed.
Lemma half_up_multiple p q a b : 0 < b <= a -> 0 <= p <= q -> q - p <= half_up (q * a) b - half_up (p * a) b.
Proof.
  intros A P. assert (E : (q - p) * b <= (q - p) * a) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (half_up (p * a + (q - p) * b) b <= half_up (q * a) b)
    by (apply half_up_mono; [lia|lia|nia|apply Z.mul_le_mono_nonneg_r; lia]).
  rewrite half_up_shift in * by lia. lia.
Qed.
Lemma rdiv_cases n d : 0 < d -> rdiv n d = if 0 <=? n then half_up n d else - half_up (- n) d.
Proof. intros D. unfold rdiv, rdiv_pos. now rewrite (proj2 (Z.ltb_lt 0 d) D). Qed.
Lemma half_up_0 d : 0 < d -> half_up 0 d = 0.
Proof. intros D. unfold half_up. apply Z.div_small. lia. Qed.
Lemma part_rises p q a b : 0 <= a <= b -> 0 < b -> p <= q -> rdiv (q * a) b - rdiv (p * a) b <= q - p.
Proof.
  intros A B L. pose proof (half_up_0 b B). destruct (Z.eq_dec a 0) as [->|N]; [rewrite !Z.mul_0_r; lia|].
  rewrite !rdiv_cases by auto. pose proof (fun x y => half_up_part x y a b A B).
  destruct (0 <=? q * a) eqn:E, (0 <=? p * a) eqn:F; rewrite ?Z.leb_le, ?Z.leb_gt in *.
  - apply H0; nia.
  - specialize (H0 0 q ltac:(nia)) as H1. specialize (H0 0 (- p) ltac:(nia)) as H2. rewrite Z.mul_0_l in *.
    replace (- p * a) with (- (p * a)) in H2 by lia. lia.
  - nia.
  - specialize (H0 (- q) (- p) ltac:(nia)). replace (- p * a) with (- (p * a)) in H0 by lia.
    replace (- q * a) with (- (q * a)) in H0 by lia. lia.
Qed.
Lemma multiple_rises p q a b : 0 < b <= a -> p <= q -> q - p <= rdiv (q * a) b - rdiv (p * a) b.
Proof.
  intros A L. pose proof (half_up_0 b ltac:(lia)). rewrite !rdiv_cases by lia.
  pose proof (fun x y => half_up_multiple x y a b A).
  destruct (0 <=? q * a) eqn:E, (0 <=? p * a) eqn:F; rewrite ?Z.leb_le, ?Z.leb_gt in *.
  - apply H0; nia.
  - specialize (H0 0 q ltac:(nia)) as H1. specialize (H0 0 (- p) ltac:(nia)) as H2. rewrite Z.mul_0_l in *.
    replace (- p * a) with (- (p * a)) in H2 by lia. lia.
  - nia.
  - specialize (H0 (- q) (- p) ltac:(nia)). replace (- p * a) with (- (p * a)) in H0 by lia.
    replace (- q * a) with (- (q * a)) in H0 by lia. lia.
Qed.
Lemma grows_part y y' z z' a b : 0 <= a <= b -> 0 < b -> grows y y' z z' -> still_or_up z z' ->
  grows (option_map (fun p => rdiv (p * a) b) y) (option_map (fun p => rdiv (p * a) b) y') z z'.
Proof.
  intros A B. destruct y as [p|], y' as [q|], z as [r|], z' as [t|]; cbn -[rdiv Z.mul]; auto. intros G U.
  destruct (Z_le_dec p q) as [L|L]; [pose proof (part_rises p q a b A B L); lia|].
  assert (rdiv (q * a) b <= rdiv (p * a) b)
    by (apply rdiv_mono; auto; apply Z.mul_le_mono_nonneg_r; [lia|]; apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.
Lemma grows_by_multiple y y' z z' a b : 0 < b <= a -> grows y y' z z' -> still_or_up z z' ->
  grows y y' (option_map (fun p => rdiv (p * a) b) z) (option_map (fun p => rdiv (p * a) b) z').
Proof.
  intros A. destruct y as [p|], y' as [q|], z as [r|], z' as [t|]; cbn -[rdiv Z.mul]; auto. intros G U.
  pose proof (multiple_rises r t a b A U). lia.
Qed.

(** Aggregates over some of the facts that another one counts or sums. *)
Lemma within_both {A} (p : A -> bool) xs ys : within_list xs ys ->
  size (filter p ys) - size (filter p xs) <= size ys - size xs.
Proof. unfold size. induction 1 as [|x xs ys W IH|x xs ys W IH]; cbn [filter length]; [lia| |]; destruct (p x);
  cbn [length]; lia. Qed.
Lemma new_values xs ys : within_list xs ys ->
  size (nodup Z.eq_dec ys) - size (nodup Z.eq_dec xs) <= size ys - size xs.
Proof.
  unfold size. induction 1 as [|x xs ys W IH|x xs ys W IH]; cbn [nodup length]; [lia| |].
  - destruct (in_dec _ x ys); cbn [length]; lia.
  - destruct (in_dec _ x ys), (in_dec _ x xs); cbn [length]; try lia.
    exfalso. apply n, (within_incl _ _ W); auto.
Qed.
Section Counted.
Variables (l k : leaf) (w w' : world).
Hypothesis (S : step Added w w') (some : forall f, keep l f && in_period l (today w) (on f) = true ->
  keep k f && in_period k (today w) (on f) = true) (sources : of_setting l = of_setting k).
Let inner f := keep l f && in_period l (today w) (on f).
Lemma seen_filter v : today v = today w -> seen l v = filter inner (seen k v).
Proof.
  intros T. unfold seen, records_of, inner. rewrite sources, T.
  generalize (if of_setting k then settings v else facts v).
  intros fs. induction fs as [|f fs IH]; cbn; auto.
  destruct (keep k f && in_period k (today w) (on f)) eqn:Q; cbn [filter].
  - destruct (keep l f && in_period l (today w) (on f)); now rewrite IH.
  - destruct (keep l f && in_period l (today w) (on f)) eqn:R; [|exact IH]. rewrite (some f R) in Q. discriminate.
Qed.
Let grown : within_list (seen k w) (seen k w').
Proof. apply (seen_grows k Added); auto. Qed.
Let same_day : today w' = today w.
Proof. now inversion S. Qed.
Lemma count_grows : size (seen l w') - size (seen l w) <= size (seen k w') - size (seen k w).
Proof. rewrite !seen_filter by auto. apply within_both, grown. Qed.
Lemma days_grow : size (nodup Z.eq_dec (days_seen l w')) - size (nodup Z.eq_dec (days_seen l w))
  <= size (seen k w') - size (seen k w).
Proof.
  pose proof count_grows. assert (W : within_list (days_seen l w) (days_seen l w'))
    by (apply within_map, (seen_grows l Added); auto).
  pose proof (new_values _ _ W). unfold days_seen, size in *. rewrite !map_length in *. lia.
Qed.
Lemma sum_grows_by_sum : arg l = arg k -> Forall (fun z => 0 <= z) (elements k w') ->
  total (elements l w') - total (elements l w) <= total (elements k w') - total (elements k w).
Proof.
  intros A. unfold elements. rewrite A, !seen_filter by auto. generalize grown.
  generalize (seen k w), (seen k w'). intros fs gs W. assert (T : forall a b, total (a ++ b) = total a + total b)
    by (clear; intros a b; unfold total; induction a; cbn [app fold_right]; lia).
  assert (N : forall xs, Forall (fun z => 0 <= z) xs -> 0 <= total xs)
    by (clear; intros xs; unfold total; induction 1; cbn [fold_right]; lia).
  induction W as [|x xs ys W IH|x xs ys W IH]; cbn [flat_map filter]; [lia| |]; rewrite Forall_app; intros [F F'];
    specialize (IH F'); pose proof (N _ F); destruct (inner x); cbn [flat_map]; rewrite ?T; lia.
Qed.
(** A sum of at least 1 each rises at least by the number of facts. *)
Lemma count_grows_by_sum : (forall f, In f (seen k w') -> exists z, arg k f = [z] /\ scale <= z) ->
  scale * size (seen l w') - scale * size (seen l w) <= total (elements k w') - total (elements k w).
Proof.
  intros A. pose proof count_grows as C. assert (D : scale * (size (seen k w') - size (seen k w))
    <= total (elements k w') - total (elements k w)); [|unfold scale in *; lia].
  unfold elements. revert A. generalize grown. generalize (seen k w), (seen k w'). intros fs gs W.
  assert (T : forall a b, total (a ++ b) = total a + total b)
    by (clear; intros a b; unfold total; induction a; cbn [app fold_right]; lia).
  unfold size. induction W as [|x xs ys W IH|x xs ys W IH]; cbn [flat_map length In]; intros A; [cbn; lia| |];
    specialize (IH (fun f Hf => A f (or_intror Hf))); destruct (A x (or_introl eq_refl)) as (z & -> & L);
    rewrite ?T; cbn [total fold_right]; lia.
Qed.
End Counted.

(** ** What growth gives: differences and quotients that never fall *)
Lemma terms_never_fall (pairs : list (value * value * value * value)) free free' z z' :
  (forall x x' y y', In (x, x', y, y') pairs -> grows y y' x x') -> still_or_up free free' ->
  fold_right (fun '(x, x', y, y') s => add (sub x y) s) free pairs = Some z ->
  fold_right (fun '(x, x', y, y') s => add (sub x' y') s) free' pairs = Some z' -> z <= z'.
Proof.
  intros G F. revert z z'. induction pairs as [|[[[x x'] y] y'] ps IH]; cbn [fold_right]; intros z z' E E'.
  - rewrite E, E' in F. exact F.
  - specialize (G x x' y y' (or_introl eq_refl)) as H. specialize (IH (fun a b c d I => G a b c d (or_intror I))).
    destruct (fold_right _ free ps) as [s|], (fold_right _ free' ps) as [s'|]; destruct x, y, x', y';
      cbn in *; try discriminate. specialize (IH s s' eq_refl eq_refl). injection E as <-. injection E' as <-. lia.
Qed.
Lemma quotient_never_falls p q p' q' : 0 <= p <= q -> 0 < q -> p <= p' -> 0 < q' -> q' - q <= p' - p ->
  rdiv (p * scale) q <= rdiv (p' * scale) q'.
Proof.
  intros. apply rdiv_mono; auto. assert (p * q' <= p' * q) by nia. unfold scale. lia.
Qed.
Lemma quotient_at_most_1 p q : 0 <= p <= q -> 0 < q -> rdiv (p * scale) q <= scale.
Proof.
  intros P Q. assert (rdiv (p * scale) q <= rdiv (scale * q) q) by (apply rdiv_mono; auto; unfold scale; nia).
  now rewrite rdiv_exact in *.
Qed.
Lemma quotient_at_least_1 p q : 0 < q <= p -> scale <= rdiv (p * scale) q.
Proof.
  intros P. assert (rdiv (scale * q) q <= rdiv (p * scale) q) by (apply rdiv_mono; try lia; unfold scale; nia).
  rewrite rdiv_exact in *; lia.
Qed.

Print Assumptions some_of_period.
Print Assumptions average_between.
Print Assumptions grows_part.
Print Assumptions days_grow.
Print Assumptions sum_grows_by_sum.
Print Assumptions terms_never_fall.
Print Assumptions quotient_never_falls.
