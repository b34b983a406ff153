(** Subjects as rows (OPD-07) and days as rows (OPD-09): what is counted or taken of some of them. *)

From Metricc Require Export Windows.

Definition part (t : Z -> bool) (n : Z -> value) s : list Z :=
  if t s then match n s with Some z => [z] | None => [] end else [].
Definition parts rows t n := flat_map (part t n) rows.
Lemma in_parts rows t n z : In z (parts rows t n) <-> exists s, In s rows /\ t s = true /\ n s = Some z.
Proof.
  unfold parts, part. rewrite in_flat_map. split; intros (s & I & H); exists s; split; auto.
  - destruct (t s), (n s); cbn in H; try tauto. intuition congruence.
  - destruct H as [-> ->]. now left.
Qed.
(** What is made of them, in their order. *)
Definition of_rows f xs : value :=
  match f with FirstOf => hd_error xs | LastOf => hd_error (rev xs) | _ => of_list f xs end.
Definition of_row_numbers f := match f with FirstOf | LastOf => True | _ => of_numbers f end.
Lemma of_rows_some f xs x : of_row_numbers f -> In x xs -> exists z, of_rows f xs = Some z.
Proof.
  intros N I. assert (H : forall ys, In x ys -> exists z, hd_error ys = Some z) by (intros [|y ys] []; cbn; eauto).
  destruct f; try destruct N; try (now apply (of_list_some _ xs x)); apply H; auto. now apply -> in_rev.
Qed.
(** One of them. *)
Definition takes_one f := match f with Max | Min | Percentile _ | FirstOf | LastOf => true | _ => false end.
Lemma of_rows_in f xs z : takes_one f = true -> of_rows f xs = Some z -> In z xs.
Proof.
  assert (H : forall ys, hd_error ys = Some z -> In z ys) by (intros [|y ys]; [discriminate|intros [= ->]; now left]).
  destruct f; try discriminate; intros _; [apply extreme_in|apply extreme_in|apply percentile_in|apply H|].
  intros E. now apply in_rev, H.
Qed.
Lemma of_rows_within f l h xs : of_row_numbers f -> (forall z, In z xs -> l <= z <= h) -> fits (of_rows f xs) ->
  within (list_values f l h) (of_rows f xs).
Proof.
  intros N P F. assert (H : forall ys, (forall z, In z ys -> l <= z <= h) -> within (range_or_none l h) (hd_error ys)).
  { intros [|y ys] Q; cbn; auto. split; auto. apply Q. cbn. auto. }
  destruct f; try destruct N; try (now apply of_list_within); apply H; auto. intros z I. now apply P, in_rev.
Qed.

(** ** Rows before and after a step *)

(** A move of what is taken of one row. *)
Definition near m p q := (p < q -> rises m = true) /\ (q < p -> falls m = true).
Definition back_in_time m := M (falls m) (rises m) (vanishes m) (appears m).
(** While no row is lost, what is there stays there. *)
Lemma row_stays rows taken taken' number number' own p :
  (forall s, taken s = true -> taken' s = true) ->
  (forall s, taken s = true -> taken' s = true -> ok_number own (number s) (number' s)) -> vanishes own = false ->
  In p (parts rows taken number) -> exists q, In q (parts rows taken' number') /\ near own p q.
Proof.
  intros T K V H. apply in_parts in H. destruct H as (s & I & C & E). pose proof (T s C) as D.
  specialize (K s C D). rewrite E in K. destruct (number' s) as [q|] eqn:Q; cbn in K; [|congruence].
  exists q. split; [|exact K]. apply in_parts. eauto.
Qed.

Section Rows.
(** Each row that there can be; whether it is taken, and its number. *)
Variables (rows : list Z) (taken taken' : Z -> bool) (number number' : Z -> value).
Variables (chosen own : moves) (v : values).
Hypothesis gains : forall s, taken s = false -> taken' s = true -> rises chosen = true.
Hypothesis loses : forall s, taken s = true -> taken' s = false -> falls chosen = true.
Hypothesis stays : forall s, taken s = true -> taken' s = true -> ok_number own (number s) (number' s).
Hypothesis V : forall s, taken s = true -> within v (number s).
Hypothesis V' : forall s, taken' s = true -> within v (number' s).
Definition count_rows (t : Z -> bool) : value := Some (scale * size (filter t rows)).
Notation old := (parts rows taken number).
Notation new := (parts rows taken' number').

Lemma count_rows_moves : ok_number (order chosen) (count_rows taken) (count_rows taken').
Proof.
  assert (L : forall p q : Z -> bool,
    (exists s, p s = true /\ q s = false) \/ size (filter p rows) <= size (filter q rows)).
  { intros p q. induction rows as [|s ss [IH|IH]]; [right; reflexivity|now left|]. cbn [filter]. unfold size in *.
    destruct (p s) eqn:P, (q s) eqn:Q; cbn [length]; [right; lia|left; eauto|right; lia|right; lia]. }
  cbn. split; intros H; [destruct (L taken' taken) as [(s & A & B)|K]|destruct (L taken taken') as [(s & A & B)|K]];
    eauto; unfold scale in *; lia.
Qed.

Definition signs := M (may_pos v) (may_neg v) false false.
Definition sum_moves :=
  union (order own)
    (union (when (rises chosen || appears own) signs) (when (falls chosen || vanishes own) (mirrored signs))).
Lemma part_moves s : ok_number sum_moves (Some (total (part taken number s))) (Some (total (part taken' number' s))).
Proof.
  unfold part, sum_moves.
  assert (P : forall z, within v (Some z) -> (0 < z -> may_pos v = true) /\ (z < 0 -> may_neg v = true))
    by (intros z [Pz Bz]; unfold may_pos, may_neg; rewrite Pz; cbn; lia).
  pose proof (stays s) as S. pose proof (V s) as W. pose proof (V' s) as W'.
  destruct (taken s) eqn:C, (taken' s) eqn:D;
    [clear gains loses|rewrite (loses s C D)|rewrite (gains s C D)|cbn; lia];
    (specialize (S eq_refl eq_refl) || clear S); try specialize (W eq_refl); try specialize (W' eq_refl);
    destruct (number s) as [p|], (number' s) as [q|];
    try destruct (P _ W) as [? ?]; try destruct (P _ W') as [? ?]; try cbn in S;
    cbn [total fold_right ok_number]; rewrite ?Z.add_0_r; bits;
    rewrite ?S, ?orb_true_r; cbn [when rises falls signs]; rewrite ?orb_true_iff; intuition lia.
Qed.
Lemma sum_rows_moves : ok_number sum_moves (Some (total old)) (Some (total new)).
Proof.
  unfold parts. induction rows as [|s ss IH]; [cbn; split; lia|]. cbn [flat_map]. rewrite !total_app.
  apply (add_moves _ _ (Some _) (Some _) (Some _) (Some _) (part_moves s)) in IH.
  unfold add, lift2 in IH. cbn [ok_number] in *. bits. rewrite !orb_diag in IH. exact IH.
Qed.
Lemma no_loss p : falls chosen = false -> vanishes own = false -> In p old -> exists q, In q new /\ near own p q.
Proof.
  intros F. apply row_stays; auto. intros s C. destruct (taken' s) eqn:D; auto. now rewrite (loses s C D) in F.
Qed.
Lemma no_gain q : rises chosen = false -> appears own = false -> In q new -> exists p, In p old /\ near own p q.
Proof.
  intros F A H. destruct (row_stays rows taken' taken number' number (back_in_time own) q) as (p & I & N); auto.
  - intros s C. destruct (taken s) eqn:D; auto. now rewrite (gains s D C) in F.
  - intros s C D. specialize (stays s D C). destruct (number s), (number' s); cbn in *; auto. tauto.
  - exists p. split; auto. destruct N. now split.
Qed.
Definition taking (gained same : moves) : moves :=
  if falls chosen || vanishes own then all_moves else if rises chosen || appears own then gained else same.
Definition extreme_moves up := taking (M (up || rises own) (negb up || falls own) true false) own.
Ltac by_rows := unfold extreme_moves, taking;
  destruct (falls chosen || vanishes own) eqn:F; [apply all_ok_number|];
  apply orb_false_iff in F; destruct F as [F E].
Lemma extreme_rows_moves up : ok_number (extreme_moves up) (extreme up old) (extreme up new).
Proof.
  by_rows. destruct (extreme up old) as [p|] eqn:P.
  - destruct (no_loss p F E (extreme_in _ _ _ P)) as (q0 & I & R0 & D0).
    destruct (extreme_some up _ _ I) as [q Q]. rewrite Q. pose proof (extreme_best _ _ _ _ Q I) as B.
    destruct (rises _ || appears _) eqn:A; cbn; [destruct up; cbn in *; split; auto; intros; (apply R0 || apply D0);
      lia|].
    apply orb_false_iff in A. destruct A as [A1 A2].
    destruct (no_gain q A1 A2 (extreme_in _ _ _ Q)) as (p0 & J & R1 & D1). pose proof (extreme_best _ _ _ _ P J) as B1.
    destruct up; cbn in *; split; intros; [apply R1|apply D0|apply R0|apply D1]; lia.
  - destruct (extreme up new) as [q|] eqn:Q; [|destruct (_ || _); exact I].
    destruct (rises _ || appears _) eqn:A; [reflexivity|]. apply orb_false_iff in A. destruct A as [A1 A2].
    destruct (no_gain q A1 A2 (extreme_in _ _ _ Q)) as (p0 & J & _). destruct (extreme_some up _ _ J). congruence.
Qed.

(** Anything else: only that there is none needs to be known … *)
Definition mid_moves := taking (M true true true false) own.
Lemma mid_rows_moves f : of_row_numbers f -> f <> Sum -> f <> Distinct ->
  (rises chosen = false -> falls chosen = false -> appears own = false -> vanishes own = false ->
    ok_number own (of_rows f old) (of_rows f new)) ->
  ok_number mid_moves (of_rows f old) (of_rows f new).
Proof.
  intros N NS ND Same. unfold mid_moves. by_rows. destruct (rises _ || appears _) eqn:A.
  - destruct (of_rows f old) as [p|] eqn:P; [|now destruct (of_rows f new)].
    destruct old as [|x xs] eqn:O; [now destruct f|].
    destruct (no_loss x F E) as (q & I & _); [rewrite O; now left|].
    destruct (of_rows_some f _ _ N I) as [z ->]. cbn. auto.
  - apply orb_false_iff in A. destruct A. auto.
Qed.
(** … and where the rows stay the same, each is no lower if none falls, and none is higher if none rises. *)
Lemma same_rows : rises chosen = false -> falls chosen = false -> appears own = false -> vanishes own = false ->
  Forall2 (near own) old new.
Proof.
  intros R F A E. unfold parts. induction rows as [|s ss IH]; cbn [flat_map]; [constructor|].
  apply Forall2_app; [|exact IH].
  unfold part. destruct (taken s) eqn:C, (taken' s) eqn:D;
    [|rewrite (loses s C D) in F; discriminate|rewrite (gains s C D) in R; discriminate|constructor].
  pose proof (stays s C D) as K. destruct (number s), (number' s); cbn in K; try congruence; repeat constructor; tauto.
Qed.
End Rows.

Definition rises_with (f : list Z -> value) := forall xs ys p q,
  Forall2 Z.le xs ys -> f xs = Some p -> f ys = Some q -> p <= q.
Lemma near_moves f own xs ys : of_row_numbers f -> f <> Sum -> f <> Distinct -> rises_with (of_rows f) ->
  Forall2 (near own) xs ys -> ok_number own (of_rows f xs) (of_rows f ys).
Proof.
  intros N NS ND Mo S.
  assert (Up : falls own = false -> Forall2 Z.le xs ys).
  { intros F. clear - S F. induction S as [|x y xs ys [_ H] _ IH]; constructor; auto. destruct (Z_lt_dec y x); [|lia].
    now rewrite H in F. }
  assert (Down : rises own = false -> Forall2 Z.le ys xs).
  { intros F. clear - S F. induction S as [|x y xs ys [H _] _ IH]; constructor; auto. destruct (Z_lt_dec x y); [|lia].
    now rewrite H in F. }
  destruct (of_rows f xs) as [p|] eqn:P, (of_rows f ys) as [q|] eqn:Q; cbn; auto.
  - split; intros L; [destruct (rises own) eqn:X|destruct (falls own) eqn:X]; auto;
      [specialize (Mo _ _ _ _ (Down eq_refl) Q P)|specialize (Mo _ _ _ _ (Up eq_refl) P Q)]; lia.
  - destruct S as [|x y xs ys]; [now destruct f|]. destruct (of_rows_some f (y :: ys) y N (in_eq y ys)). congruence.
  - destruct S as [|x y xs ys]; [now destruct f|]. destruct (of_rows_some f (x :: xs) x N (in_eq x xs)). congruence.
Qed.

Lemma same_size xs ys : Forall2 Z.le xs ys -> size xs = size ys.
Proof. unfold size. induction 1; cbn [length]; lia. Qed.
Lemma average_rises : rises_with average.
Proof.
  intros xs ys p q F P Q. pose proof (same_size _ _ F) as E.
  assert (L : total xs <= total ys) by (unfold total; clear - F; induction F; cbn [fold_right]; lia).
  destruct xs as [|x xs], ys as [|y ys]; try discriminate. cbn [average] in *. rewrite <- E in Q.
  injection P as <-. injection Q as <-. assert (0 < size (x :: xs)) by (unfold size; cbn [length]; lia).
  set (k := size _) in *. apply rdiv_mono; auto. apply Z.mul_le_mono_nonneg_r; [lia|exact L].
Qed.
Lemma percentile_rises p : 1 <= p <= 100 -> rises_with (percentile p).
Proof.
  intros B xs ys a b F A Q. apply percentile_in in Q. destruct Q as [Ib Rb].
  pose proof (same_size _ _ F) as E.
  assert (C : size (filter (fun y => y <=? b) ys) <= size (filter (fun y => y <=? b) xs)).
  { unfold size. clear - F. induction F as [|x y xs ys L _ IH]; cbn [filter length]; [lia|].
    destruct (y <=? b) eqn:Y, (x <=? b) eqn:X; cbn [length]; lia. }
  unfold rank_reached in Rb. rewrite <- E in Rb. apply Z.leb_le in Rb.
  (* The greatest x that is not above b has the rank, too. *)
  destruct (extreme true (filter (fun y => y <=? b) xs)) as [m|] eqn:M.
  + apply extreme_in in M as I. apply filter_In in I. destruct I as [I L].
    apply Z.leb_le in L. cut (a <= m); [lia|]. apply (extreme_best _ _ _ _ A), filter_In. split; auto.
    apply Z.leb_le. assert (W : size (filter (fun y => y <=? b) xs) <= size (filter (fun y => y <=? m) xs)); [|lia].
    assert (G : forall y, In y xs -> y <= b -> y <= m)
      by (intros y Iy Ly; apply (extreme_best _ _ _ _ M), filter_In; split; auto; lia).
    unfold size. clear - G. induction xs as [|x xs IH]; cbn [filter length]; [lia|].
    specialize (IH (fun y Iy => G y (or_intror Iy))). specialize (G x (or_introl eq_refl)).
    destruct (x <=? b) eqn:X, (x <=? m) eqn:Y; cbn [length]; lia.
  + destruct (filter (fun y => y <=? b) xs); [|discriminate]. change (size []) with 0 in C.
    assert (0 < size xs) by (rewrite E; unfold size; destruct ys; [destruct Ib|cbn [length]; lia]).
    assert (1 <= (p * size xs + 99) / 100) by (apply Z.div_le_lower_bound; nia). lia.
Qed.
Lemma first_rises : rises_with (of_rows FirstOf).
Proof. intros xs ys p q [|x y] P Q; [discriminate|]. cbn in *. congruence. Qed.
Lemma last_rises : rises_with (of_rows LastOf).
Proof. intros xs ys p q F. apply first_rises. induction F; cbn [rev]; auto using Forall2_app. Qed.

(** Nothing moves where no row does. A greater number may be nearer to the others. *)
Definition row_moves f chosen own v :=
  let mid := mid_moves chosen own in
  if negb (rises chosen || falls chosen) && is_empty own then none_moves
  else match f with
  | Sum => sum_moves chosen own v
  | Max => extreme_moves chosen own true
  | Min => extreme_moves chosen own false
  | Percentile p => if p =? 100 then extreme_moves chosen own true else mid
  | Stddev => if is_empty own then mid else all_moves
  | Average | FirstOf | LastOf => mid
  | _ => all_moves
  end.
Theorem rows_sound f rows taken taken' number number' chosen own v :
  (forall s, taken s = false -> taken' s = true -> rises chosen = true) ->
  (forall s, taken s = true -> taken' s = false -> falls chosen = true) ->
  (forall s, taken s = true -> taken' s = true -> ok_number own (number s) (number' s)) ->
  (forall s, taken s = true -> within v (number s)) -> (forall s, taken' s = true -> within v (number' s)) ->
  of_row_numbers f ->
  ok_number (row_moves f chosen own v) (of_rows f (parts rows taken number)) (of_rows f (parts rows taken' number')).
Proof.
  intros G L S V V' N. unfold row_moves. destruct (_ && is_empty own) eqn:Still.
  { rewrite andb_true_iff, negb_true_iff, orb_false_iff in Still. destruct Still as [[R F] Em].
    replace (parts rows taken' number') with (parts rows taken number); [apply same_number|].
    assert (P : appears own = false /\ vanishes own = false) by (destruct own as [[] [] [] []]; easy).
    pose proof (same_rows rows _ _ _ _ chosen own G L S R F (proj1 P) (proj2 P)) as H. clear - H Em.
    induction H as [|x y xs ys H _ IH]; [reflexivity|]. f_equal; auto.
    apply (empty_same own (Some x) (Some y) Em) in H. congruence. }
  pose proof (extreme_rows_moves rows _ _ _ _ _ _ G L S) as X.
  assert (Mid : rises_with (of_rows f) -> f <> Sum -> f <> Distinct ->
    ok_number (mid_moves chosen own) (of_rows f (parts rows taken number)) (of_rows f (parts rows taken' number'))).
  { intros R NS ND. apply mid_rows_moves; auto. intros. apply near_moves; auto. now apply same_rows with chosen. }
  destruct f; try destruct N; try (apply all_ok_number); try (apply X).
  - now apply sum_rows_moves.
  - apply Mid; try discriminate. exact average_rises.
  - destruct (is_empty own); [|apply all_ok_number].
    apply mid_rows_moves; auto; try discriminate; [exact I|]. intros R F. rewrite R, F in Still. discriminate.
  - destruct (Z.eqb_spec p 100) as [->|]; [cbn; rewrite !percentile_100; apply X|].
    apply Mid; try discriminate. now apply percentile_rises.
  - apply Mid; try discriminate. exact first_rises.
  - apply Mid; try discriminate. exact last_rises.
Qed.

(** ** Subjects *)
Section Subjects.
Variable subjects : list Z.
(** Whether each exists, the `where`, and the number taken. *)
Variables (exists_ : Z -> world -> bool) (filter_ argument : Z -> world -> value).
Variables (good : world -> Prop) (e x : behaviour) (is_app : bool).
Hypothesis E : forall s, sound true e good (filter_ s).
Hypothesis X : forall s, sound false x good (argument s).
(** A fact may make a subject exist for the app; it belongs to no other. None comes or goes as days pass. *)
Hypothesis stays : forall s ax w w', step ax w w' -> exists_ s w = true -> exists_ s w' = true.
Hypothesis comes : forall s ax w w', step ax w w' -> is_app = false \/ ax = Passing ->
  exists_ s w' = true -> exists_ s w = true.
Definition chosen_subject w s := exists_ s w && is (filter_ s w) scale.
Definition chosen_moves ax :=
  M (rises (moves_of ax e) || match ax with Added => is_app | Passing => false end) (falls (moves_of ax e)) false false.
Variables (ax : axis) (w w' : world).
Hypothesis (S : step ax w w') (G : good w) (G' : good w').

Lemma subject_comes s : chosen_subject w s = false -> chosen_subject w' s = true -> rises (chosen_moves ax) = true.
Proof.
  intros C C'. unfold chosen_subject in *. apply andb_prop in C'. destruct C' as [C1 C2]. cbn.
  destruct (is (filter_ s w) scale) eqn:Q.
  - rewrite andb_true_r in C. destruct ax eqn:X', is_app eqn:A; try apply orb_true_r;
      rewrite (comes s ax w w') in C; subst; auto; discriminate.
  - destruct (E s) as (_ & _ & H). destruct (H ax w w' S G G') as (H1 & _). now rewrite H1.
Qed.
Lemma subject_goes s : chosen_subject w s = true -> chosen_subject w' s = false -> falls (chosen_moves ax) = true.
Proof.
  intros C C'. unfold chosen_subject in *. apply andb_prop in C. destruct C as [C1 C2].
  rewrite (stays s ax w w' S C1) in C'. destruct (E s) as (_ & _ & H). destruct (H ax w w' S G G') as (_ & H1 & _).
  cbn. auto.
Qed.
Definition numbers_of v := parts subjects (chosen_subject v) (fun s => argument s v).
Theorem subjects_sound f : of_numbers f ->
  ok_number (order (chosen_moves ax)) (count_rows subjects (chosen_subject w)) (count_rows subjects (chosen_subject w'))
  /\ ok_number (row_moves f (chosen_moves ax) (moves_of ax x) (vals x)) (of_list f (numbers_of w))
       (of_list f (numbers_of w')).
Proof.
  intros N. assert (V : forall v s, good v -> within (vals x) (argument s v)) by (intros v s; apply (X s)).
  assert (M : forall s, ok_number (moves_of ax x) (argument s w) (argument s w'))
    by (intros s; destruct (X s) as (_ & _ & H); exact (H ax w w' S G G')).
  split; [apply count_rows_moves; eauto using subject_comes, subject_goes|].
  pose proof (rows_sound f subjects (chosen_subject w) (chosen_subject w') (fun s => argument s w)
    (fun s => argument s w') (chosen_moves ax) (moves_of ax x) (vals x)) as R.
  destruct f; try (now destruct N); apply R; eauto using subject_comes, subject_goes.
Qed.
(** Their values: those that the aggregate has of any numbers in the range, also on no data. *)
Theorem subjects_within f : of_numbers f -> fits (of_list f (numbers_of w)) ->
  within (list_values f (low (vals x)) (high (vals x))) (of_list f (numbers_of w)).
Proof.
  intros N F. apply of_list_within; auto. intros z I. apply in_parts in I. destruct I as (s & _ & _ & Q).
  pose proof (proj1 (X s) w G) as W. rewrite Q in W. apply W.
Qed.
(** On no data none is chosen where E is false, and a `sum` of what is not negative is not. *)
Lemma no_subject : no_data w -> certainty (on_no_data e) = Some false ->
  count_rows subjects (chosen_subject w) = Some 0.
Proof.
  intros N C. unfold count_rows. do 2 f_equal.
  assert (F : forall s, chosen_subject w s = false).
  { intros s. destruct (E s) as (_ & H & _). unfold chosen_subject. rewrite (certainty_false _ _ C (H w G N)).
    apply andb_false_r. }
  clear - F. induction subjects as [|s ss IH]; cbn [filter]; [reflexivity|]. now rewrite F.
Qed.
End Subjects.

(** ** Days *)
Section Days.
(** Each day that there is, those of a period at a reference day, and where all time begins. *)
Variables (calendar : list Z) (in_period : Z -> Z -> bool) (begins : world -> Z) (all_time : bool).
Hypothesis begins_earlier : forall w w', step Added w w' -> begins w' <= begins w.
Hypothesis begins_still : forall w w', step Passing w w' -> begins w' = begins w.
Variables (m : world -> value) (b : behaviour) (good : world -> Prop).
Hypothesis Sound : sound false b good m.
Definition day_taken w d := (d <=? today w) && if all_time then begins w <=? d else in_period (today w) d.
Definition on_days w := parts calendar (day_taken w) (fun d => m (at_day w d)).
(** A fact leaves the days as they are, but that all time may begin earlier. As days pass no row changes. *)
Definition days_move ax :=
  match ax with Added => M all_time false false false | Passing => M true (negb all_time) false false end.
Definition day_moves ax := match ax with Added => added b | Passing => none_moves end.
Theorem days_sound f ax w w' : step ax w w' -> everywhere good w -> everywhere good w' -> of_row_numbers f ->
  ok_number (row_moves f (days_move ax) (day_moves ax) (vals b)) (of_rows f (on_days w)) (of_rows f (on_days w')).
Proof.
  intros S G G' N.
  assert (Ga : forall d, day_taken w d = false -> day_taken w' d = true -> rises (days_move ax) = true).
  { intros d. unfold day_taken. destruct ax; [|reflexivity]. rewrite <- (added_today w w' S). cbn.
    destruct all_time; [reflexivity|]. congruence. }
  assert (Lo : forall d, day_taken w d = true -> day_taken w' d = false -> falls (days_move ax) = true).
  { intros d. unfold day_taken. rewrite andb_true_iff, andb_false_iff. destruct ax; cbn; destruct all_time; cbn; auto.
    - rewrite <- (added_today w w' S). pose proof (begins_earlier _ _ S). lia.
    - rewrite <- (added_today w w' S). intuition congruence.
    - rewrite (begins_still _ _ S). inversion S; subst. cbn [today]. lia. }
  assert (K : forall v, everywhere good v -> forall d, day_taken v d = true -> good (at_day v d))
    by (intros v H d D; apply H; unfold day_taken in D; lia).
  assert (St : forall d, day_taken w d = true -> day_taken w' d = true ->
    ok_number (day_moves ax) (m (at_day w d)) (m (at_day w' d))).
  { intros d D D'. destruct Sound as (_ & _ & H). destruct ax; [|inversion S; subst; apply (ok_same false)].
    apply (H Added); auto. now apply added_at. }
  assert (V : forall v, everywhere good v -> forall d, day_taken v d = true -> within (vals b) (m (at_day v d)))
    by (intros v H d D; apply Sound; eauto).
  apply rows_sound; eauto.
Qed.
(** Their values, from those of the metric, or from those it has on no data: of a period a value on each day. *)
Definition days_values f v :=
  if may_present v then
    let u := list_values f (low v) (high v) in V (may_none u && (may_none v || all_time)) true (low u) (high u)
  else match f with Sum | Distinct => exactly 0 | _ => vnone end.
Theorem days_within f w v : (forall d, day_taken w d = true -> within v (m (at_day w d))) ->
  (all_time = false -> exists d, In d calendar /\ day_taken w d = true) -> of_row_numbers f ->
  fits (of_rows f (on_days w)) -> within (days_values f v) (of_rows f (on_days w)).
Proof.
  intros W D N F. unfold days_values.
  assert (P : forall z, In z (on_days w) -> may_present v = true /\ low v <= z <= high v).
  { intros z I. apply in_parts in I. destruct I as (d & _ & T & E). specialize (W d T). now rewrite E in W. }
  destruct (may_present v) eqn:Pr.
  - pose proof (of_rows_within f (low v) (high v) (on_days w) N (fun z I => proj2 (P z I)) F) as H.
    destruct (of_rows f (on_days w)) as [z|] eqn:E; cbn in *; [destruct H; auto|]. rewrite H. cbn.
    destruct (may_none v) eqn:Mn, all_time; auto. destruct (D eq_refl) as (d & I & T). specialize (W d T).
    destruct (m (at_day w d)) as [y|] eqn:Y; cbn in W; [|congruence].
    destruct (of_rows_some f (on_days w) y N) as [z Z]; [apply in_parts; eauto|congruence].
  - replace (on_days w) with (@nil Z); [destruct f; try destruct N; cbn; auto; split; auto; lia|].
    destruct (on_days w) as [|z zs]; auto. now destruct (P z (in_eq z zs)).
Qed.
End Days.
