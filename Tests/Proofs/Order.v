(** Point by point: one value never above another; *Growth*: one rises by no more than another does. *)

From Metricc Require Export Scopes Rows.

(** Where both are present. *)
Definition le (x y : value) : Prop := match x, y with Some p, Some q => p <= q | _, _ => True end.

Ltac cases := unfold le, least, greatest, add, sub, floor, lift2 in *;
  repeat match goal with x : value |- _ => destruct x end; cbn in *; intros; auto; try lia.

(** ** Forms *)
Lemma le_range a b x y : within a x -> within b y -> high a <= low b -> le x y.
Proof. cases. Qed.
Theorem forms_ordered x y z x' y' v c : within v y ->
  (le x z \/ le y z -> le (least x y) z) /\ (le x z -> le y z -> le (greatest x y) z)
  /\ (le z x \/ le z y -> le z (greatest x y)) /\ (le z x -> le z y -> le z (least x y))
  /\ (0 <= low v -> le x z -> le (sub x y) z) /\ (0 <= low v -> le z x -> le z (add x y))
  /\ (le x x' -> le y y' -> le (add x y) (add x' y')) /\ (le x z -> le (floor x) z)
  /\ (le x z -> le y z -> le (pick c x y) z) /\ (le z x -> le z y -> le z (pick c x y)).
Proof.
  intros W. unfold pick. assert (F : forall p, floor_z p <= p) by apply floor_le.
  repeat split; try (now destruct (is c scale)); try (destruct x as [p|]; [specialize (F p)|]); clear c; cases.
Qed.
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
Theorem some_of_period l k w : of_setting l = of_setting k ->
  (forall f, keep l f = true -> keep k f = true) ->
  (forall d, in_period l (today w) d = true -> in_period k (today w) d = true) -> some_of l k w.
Proof.
  intros O K P. unfold some_of, seen, records_of. rewrite O. destruct (of_setting k);
    (apply within_filter; [apply within_refl|]); intros f; rewrite !andb_true_iff; intuition.
Qed.
(** Never above where up, never below where not. *)
Definition ordered_by (up : bool) x y := if up then le x y else le y x.
Lemma member_ordered up x xs : (forall z, x = Some z -> In z xs) -> ordered_by up x (extreme up xs).
Proof.
  intros M. destruct x as [z|]; [|destruct up; cbn; auto; now destruct (extreme _ _)].
  destruct (extreme up xs) as [y|] eqn:E; [pose proof (extreme_best _ _ _ _ E (M z eq_refl))|]; now destruct up.
Qed.
(** The greatest or least of some, against the greatest or least of all. *)
Lemma extreme_ordered up any xs ys : incl xs ys -> ordered_by up (extreme any xs) (extreme up ys).
Proof. intros I. apply member_ordered. intros z E. apply extreme_in in E. auto. Qed.

Section Within.
Variables (l k : leaf) (w : world).
Hypothesis W : some_of l k w.
Lemma fewer : size (seen l w) <= size (seen k w). Proof. now apply within_length. Qed.
Lemma fewer_days : different (days_seen l w) <= different (days_seen k w).
Proof. apply different_grows. now apply incl_map, within_incl. Qed.
Theorem days_ordered up any : ordered_by up (extreme any (days_seen l w)) (extreme up (days_seen k w)).
Proof. apply extreme_ordered. now apply incl_map, within_incl. Qed.
Lemma different_size (xs : list Z) : different xs <= size xs.
Proof. unfold different, size. apply inj_le, NoDup_incl_length; [apply NoDup_nodup|]. intros x. now rewrite nodup_In.
  Qed.
Lemma days_of_count : different (days_seen l w) <= size (seen k w).
Proof. pose proof (different_size (days_seen l w)). pose proof fewer. unfold days_seen, size in *.
  rewrite map_length in *. lia. Qed.
Lemma distinct_of_count : (forall f, (length (arg l f) <= 1)%nat) ->
  different (elements l w) <= size (seen k w).
Proof.
  intros A. pose proof (different_size (elements l w)). pose proof fewer.
  assert (size (elements l w) <= size (seen l w)); [|lia].
  unfold elements, size. clear - A. generalize (seen l w). intros fs.
  induction fs as [|f fs IH]; cbn [flat_map length]; [lia|]. rewrite app_length.
  specialize (A f). lia.
Qed.
Hypothesis same : arg l = arg k.
Let elements_within : within_list (elements l w) (elements k w).
Proof. unfold elements. rewrite same. now apply within_flat_map. Qed.
Lemma fewer_values : different (elements l w) <= different (elements k w).
Proof. apply different_grows, within_incl, elements_within. Qed.
Theorem elements_ordered up any : ordered_by up (extreme any (elements l w)) (extreme up (elements k w)).
Proof. apply extreme_ordered, within_incl, elements_within. Qed.
Lemma percentile_ordered up p : ordered_by up (percentile p (elements l w)) (extreme up (elements k w)).
Proof.
  apply member_ordered. intros z E. apply percentile_in in E. now apply (within_incl _ _ elements_within).
Qed.
Theorem average_ordered m n z : extreme false (elements k w) = Some m -> extreme true (elements k w) = Some n ->
  average (elements l w) = Some z -> m <= z <= n.
Proof.
  intros M N. apply average_between. intros x H. apply (within_incl _ _ elements_within) in H.
  split; [apply (extreme_best _ _ _ _ M H)|apply (extreme_best _ _ _ _ N H)].
Qed.
Lemma sum_le : (forall z, In z (elements k w) -> 0 <= z) -> total (elements l w) <= total (elements k w).
Proof. exact (within_total _ _ true elements_within). Qed.
Lemma extreme_le_sum up x : (forall z, In z (elements k w) -> 0 <= z) ->
  extreme up (elements l w) = Some x -> x <= total (elements k w).
Proof.
  intros F E. apply extreme_in, (within_incl _ _ elements_within) in E. revert F E.
  generalize (elements k w). clear. intros xs F I. induction xs as [|y ys IH]; [destruct I|destruct I as [->|I]].
  - pose proof (within_total [] ys true (nothing_within ys) (fun z H => F z (or_intror H))). unfold total in *.
      cbn in *. lia.
  - specialize (IH (fun z H => F z (or_intror H)) I). specialize (F y (or_introl eq_refl)). unfold total in *. cbn. lia.
Qed.
(** Where [k] has no facts, [l] has none, and the value of no data. *)
Lemma empty_within : seen k w = [] -> seen l w = [].
Proof. intros E. apply incl_l_nil. rewrite <- E. now apply within_incl. Qed.
End Within.

(** Subjects, and the windows and days of a completion: of some that lie in a shorter period, or pass `where`. *)
Theorem fewer_subjects rows t t' : (forall s, t s = true -> t' s = true) -> le (count_rows rows t) (count_rows rows t').
Proof.
  intros H. cbn. apply Z.mul_le_mono_nonneg_l; [discriminate|]. apply within_length, within_filter;
    auto using within_refl.
Qed.
Section Completions.
Variables (epoch : Z) (prev : Z -> Z) (when rest : world -> value) (present : world -> bool) (tiles : Z -> list Z).
Variables (inner outer : Z -> Z -> bool) (w : world).
Hypothesis shorter : forall e, inner (today w) e = true -> outer (today w) e = true.
Theorem fewer_windows :
  le (count_value epoch prev when rest present tiles inner w) (count_value epoch prev when rest present tiles outer w).
Proof.
  cbn. apply Z.mul_le_mono_nonneg_l; [discriminate|]. apply greatest_le; [apply counts_nonneg|]. intros x H.
  apply in_map_iff in H. destruct H as (t & <- & H). eexists. split; [apply in_map, H|].
  generalize (ends epoch prev (fuel epoch t) t). intros ds. induction ds as [|d ds IH]; cbn [filter map]; [lia|].
  specialize (shorter d). destruct (inner (today w) d); [rewrite shorter by auto|destruct (outer (today w) d)];
    cbn [map count_done]; destruct (state_of when rest present (at_day w d)); cbn [count_done]; lia.
Qed.
Theorem held_ordered up any :
  ordered_by up (day_done epoch when present inner any w) (day_done epoch when present outer up w).
Proof. apply extreme_ordered, incl_map. intros d. rewrite !days_done_spec. intuition. Qed.
(** *How far back*: it held on no later day. *)
Lemma held_by_today up z : day_done epoch when present inner up w = Some z -> z <= scale * today w.
Proof.
  intros E. apply extreme_in, in_map_iff in E. destruct E as (d & <- & D). apply days_done_spec in D.
  apply Z.mul_le_mono_nonneg_l; [discriminate|lia].
Qed.
End Completions.

(** ** Growth: before and after facts are added, x goes to x' and y to y' *)
Definition grows (x x' y y' : value) : Prop :=
  match x, x', y, y' with Some p, Some p', Some q, Some q' => p' - p <= q' - q | _, _, _, _ => True end.
Definition still_or_up (y y' : value) := match y, y' with Some q, Some q' => q <= q' | _, _ => True end.
Ltac growth := unfold grows, still_or_up in *; cases.

Lemma row_goes_one_way m y y' : ok_number m y y' ->
  (falls m = false -> still_or_up y y') /\ (rises m = false -> still_or_up y' y).
Proof.
  destruct y as [p|], y' as [q|]; cbn; auto. intros [R F].
  split; intros E; apply Z.nlt_ge; intros L; [apply F in L|apply R in L]; congruence.
Qed.
Theorem forms_grow x x' y y' z z' :
  grows x x' x x' /\ (still_or_up x' x -> still_or_up z z' -> grows x x' z z')
  /\ (grows x x' z z' -> grows y y' z z' ->
       grows (least x y) (least x' y') z z' /\ grows (greatest x y) (greatest x' y') z z')
  /\ (grows z z' x x' -> grows z z' y y' ->
       grows z z' (least x y) (least x' y') /\ grows z z' (greatest x y) (greatest x' y'))
  /\ (grows x x' z z' -> still_or_up y' y -> grows (add x y) (add x' y') z z')
  /\ (grows x x' z z' -> still_or_up y y' -> grows (sub x y) (sub x' y') z z')
  /\ (grows z z' x x' -> still_or_up y y' -> grows z z' (add x y) (add x' y'))
  /\ (grows z z' x x' -> still_or_up y' y -> grows z z' (sub x y) (sub x' y')).
Proof. repeat split; growth. Qed.
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
Lemma half_up_rise more p q a b : 0 < b -> at_best more a b -> p <= q ->
  at_best more (half_up (q * a) b - half_up (p * a) b) (q - p).
Proof.
  intros B A L. pose proof (half_up_shift (p * a) b (q - p) B) as S.
  assert (K : at_best more (half_up (q * a) b) (half_up (p * a + (q - p) * b) b))
    by (destruct more; cbn in *; apply half_up_mono; auto; apply Z.mul_le_mono_nonneg_r; nia).
  destruct more; cbn in *; lia.
Qed.
Lemma half_up_0 d : 0 < d -> half_up 0 d = 0.
Proof. intros D. unfold half_up. apply Z.div_small. lia. Qed.
Lemma rise more p q a b : 0 <= a -> 0 < b -> at_best more a b -> p <= q ->
  at_best more (rdiv (q * a) b - rdiv (p * a) b) (q - p).
Proof.
  intros N B A L. pose proof (half_up_0 b B). pose proof (fun x y => half_up_rise more x y a b B A) as H'.
  destruct (Z.eq_dec a 0) as [->|N']; [rewrite !Z.mul_0_r; destruct more; cbn in *; unfold rdiv, rdiv_pos; cbn; lia|].
  rewrite !rdiv_cases by auto. destruct (0 <=? q * a) eqn:E, (0 <=? p * a) eqn:F; rewrite ?Z.leb_le, ?Z.leb_gt in *.
  - now apply H'.
  - pose proof (H' 0 q ltac:(nia)) as H1. pose proof (H' 0 (- p) ltac:(nia)) as H2. rewrite Z.mul_0_l in *.
    replace (- p * a) with (- (p * a)) in H2 by lia. destruct more; cbn in *; lia.
  - nia.
  - specialize (H' (- q) (- p) ltac:(lia)). replace (- p * a) with (- (p * a)) in H' by lia.
    replace (- q * a) with (- (q * a)) in H' by lia. destruct more; cbn in *; lia.
Qed.
Theorem grows_part y y' z z' a b : 0 <= a <= b -> 0 < b -> grows y y' z z' -> still_or_up z z' ->
  grows (option_map (fun p => rdiv (p * a) b) y) (option_map (fun p => rdiv (p * a) b) y') z z'.
Proof.
  intros A B. destruct y as [p|], y' as [q|], z as [r|], z' as [t|]; cbn -[rdiv Z.mul]; auto. intros G U.
  destruct (Z_le_dec p q) as [L|L]; [pose proof (rise true p q a b (proj1 A) B (proj2 A) L) as R; cbn in R; lia|].
  assert (rdiv (q * a) b <= rdiv (p * a) b)
    by (apply rdiv_mono; auto; apply Z.mul_le_mono_nonneg_r; [lia|]; apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.
Lemma grows_by_multiple y y' z z' a b : 0 < b <= a -> grows y y' z z' -> still_or_up z z' ->
  grows y y' (option_map (fun p => rdiv (p * a) b) z) (option_map (fun p => rdiv (p * a) b) z').
Proof.
  intros A. destruct y as [p|], y' as [q|], z as [r|], z' as [t|]; cbn -[rdiv Z.mul]; auto. intros G U.
  pose proof (rise false r t a b ltac:(lia) (proj1 A) (proj2 A) U) as R. cbn in R. lia.
Qed.

(** Aggregates over some of the facts that another one counts or sums. *)
Lemma within_both {A} (p : A -> bool) xs ys : within_list xs ys ->
  size (filter p ys) - size (filter p xs) <= size ys - size xs.
Proof. unfold size. induction 1 as [|x xs ys W IH|x xs ys W IH]; cbn [filter length]; [lia| |]; destruct (p x);
  cbn [length]; lia. Qed.
Lemma new_values xs ys : within_list xs ys ->
  different ys - different xs <= size ys - size xs.
Proof.
  unfold different, size. induction 1 as [|x xs ys W IH|x xs ys W IH]; cbn [nodup length]; [lia| |].
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
Theorem days_grow : different (days_seen l w') - different (days_seen l w)
  <= size (seen k w') - size (seen k w).
Proof.
  pose proof count_grows. assert (W : within_list (days_seen l w) (days_seen l w'))
    by (apply within_map, (seen_grows l Added); auto).
  pose proof (new_values _ _ W). unfold days_seen, size in *. rewrite !map_length in *. lia.
Qed.
Theorem sum_grows_by_sum : arg l = arg k -> Forall (fun z => 0 <= z) (elements k w') ->
  total (elements l w') - total (elements l w) <= total (elements k w') - total (elements k w).
Proof.
  intros A. unfold elements. rewrite A, !seen_filter by auto. generalize grown.
  generalize (seen k w), (seen k w'). intros fs gs W.
  assert (N : forall xs, Forall (fun z => 0 <= z) xs -> 0 <= total xs)
    by (clear; intros xs; unfold total; induction 1; cbn [fold_right]; lia).
  induction W as [|x xs ys W IH|x xs ys W IH]; cbn [flat_map filter]; [lia| |]; rewrite Forall_app; intros [F F'];
    specialize (IH F'); pose proof (N _ F); destruct (inner x); cbn [flat_map]; rewrite ?total_app; lia.
Qed.
(** A sum of at least 1 each rises at least by the number of facts. *)
Lemma count_grows_by_sum : (forall f, In f (seen k w') -> exists z, arg k f = [z] /\ scale <= z) ->
  scale * size (seen l w') - scale * size (seen l w) <= total (elements k w') - total (elements k w).
Proof.
  intros A. pose proof count_grows as C. assert (D : scale * (size (seen k w') - size (seen k w))
    <= total (elements k w') - total (elements k w)); [|unfold scale in *; lia].
  unfold elements. revert A. generalize grown. generalize (seen k w), (seen k w'). intros fs gs W.
  unfold size. induction W as [|x xs ys W IH|x xs ys W IH]; cbn [flat_map length In]; intros A; [cbn; lia| |];
    specialize (IH (fun f Hf => A f (or_intror Hf))); destruct (A x (or_introl eq_refl)) as (z & -> & L);
    rewrite ?total_app; cbn [total fold_right]; lia.
Qed.
End Counted.

(** ** What growth gives: differences and quotients that never fall *)
Theorem terms_never_fall (pairs : list (value * value * value * value)) free free' z z' :
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
Theorem quotient_never_falls p q p' q' : 0 <= p <= q -> 0 < q -> p <= p' -> 0 < q' -> q' - q <= p' - p ->
  rdiv (p * scale) q <= rdiv (p' * scale) q'.
Proof.
  intros. apply rdiv_mono; auto. assert (p * q' <= p' * q) by nia. unfold scale. lia.
Qed.
(** At most 1 by [part_range]. *)
Lemma quotient_at_least_1 p q : 0 < q <= p -> scale <= rdiv (p * scale) q.
Proof.
  intros P. assert (rdiv (scale * q) q <= rdiv (p * scale) q) by (apply rdiv_mono; try lia; unfold scale; nia).
  rewrite rdiv_exact in *; lia.
Qed.
