(** Units of the calendar, as windows and as periods: WIN-02, WIN-04. *)

From Metricc Require Export Windows.

(** ** Months *)

(** The first day of a year and of a month. They begin in March of the year 0, so that a leap day is the last one of
    twelve months. *)
Definition year y := 365 * y + y / 4 - y / 100 + y / 400.
Definition first_day (m : Z) : Z := year (m / 12) + (153 * (m mod 12) + 2) / 5.
Lemma year_length y : 365 <= year (y + 1) - year y <= 366.
Proof.
  unfold year. change 400 with (4 * 25 * 4). change 100 with (4 * 25). rewrite <- !Z.div_div by lia.
  Z.to_euclidean_division_equations. lia.
Qed.
(** A quarter from February on has 89 days. *)
Theorem month_lengths m : 28 <= first_day (m + 1) - first_day m <= 31
  /\ 89 <= first_day (m + 3) - first_day m <= 92 /\ 365 <= first_day (m + 12) - first_day m <= 366.
Proof.
  pose proof (Z.mod_pos_bound m 12 ltac:(lia)) as K. pose proof (Z.div_mod m 12 ltac:(lia)) as M.
  set (y := m / 12) in *. set (k := m mod 12) in *.
  assert (F : forall i j, 0 <= j < 12 -> first_day (12 * i + j) = year i + (153 * j + 2) / 5).
  { intros i j J. unfold first_day. replace ((12 * i + j) / 12) with i by (apply Z.div_unique with j; lia).
    now replace ((12 * i + j) mod 12) with j by (apply Z.mod_unique with i; lia). }
  assert (N : forall c, 0 <= c <= 12 -> first_day (m + c) =
    if k + c <? 12 then year y + (153 * (k + c) + 2) / 5 else year (y + 1) + (153 * (k + c - 12) + 2) / 5).
  { intros c C. destruct (k + c <? 12) eqn:E; rewrite <- F by lia; f_equal; lia. }
  pose proof (N 0 ltac:(lia)) as N0. rewrite Z.add_0_r in N0. rewrite N0, !N by lia.
  pose proof (year_length y) as Y. clear - Y K. clearbody k. generalize dependent (year y). generalize (year (y + 1)).
  intros q p Y. assert (C : In k [0; 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11]) by (cbn; lia).
  cbn in C. repeat destruct C as [<-|C]; cbn; lia.
Qed.
Lemma first_day_mono m n : m <= n -> first_day m <= first_day n.
Proof.
  intros L. replace n with (m + Z.of_nat (Z.to_nat (n - m))) by lia. induction (Z.to_nat (n - m)) as [|i IH].
  - now rewrite Z.add_0_r.
  - pose proof (month_lengths (m + Z.of_nat i)). replace (m + Z.of_nat (S i)) with (m + Z.of_nat i + 1) by lia. lia.
Qed.
(** The month that holds a day: near what 4,800 months in 146,097 days make. *)
Definition month_of d :=
  let m := 4800 * d / 146097 in
  if d <? first_day m then m - 1 else if d <? first_day (m + 1) then m else m + 1.
Lemma month_near m : 146097 * m - 14400 <= 4800 * first_day m <= 146097 * m + 19200.
Proof. unfold first_day, year. Z.to_euclidean_division_equations. lia. Qed.
Lemma month_holds d : first_day (month_of d) <= d < first_day (month_of d + 1).
Proof.
  unfold month_of. set (m := 4800 * d / 146097). pose proof (month_near (m - 1)). pose proof (month_near (m + 1 + 1)).
  pose proof (Z.div_mod (4800 * d) 146097 ltac:(lia)). pose proof (Z.mod_pos_bound (4800 * d) 146097 ltac:(lia)).
  fold m in H1. destruct (d <? first_day m) eqn:A; [rewrite Z.sub_add; lia|].
  destruct (d <? first_day (m + 1)) eqn:B; lia.
Qed.
Lemma month_unique m d : first_day m <= d < first_day (m + 1) -> month_of d = m.
Proof.
  intros H. pose proof (month_holds d). destruct (Z.lt_trichotomy (month_of d) m) as [L|[L|L]]; auto; exfalso;
    [pose proof (first_day_mono (month_of d + 1) m)|pose proof (first_day_mono (m + 1) (month_of d))]; lia.
Qed.

(** ** Units *)
Inductive unit_ := Day | Week (from : Z) | Months (count from : Z).
Definition sane_unit u := match u with Months c _ => c = 1 \/ c = 3 \/ c = 12 | _ => True end.
Definition shortest u :=
  match u with Day => 1 | Week _ => 7 | Months c _ => if c =? 1 then 28 else if c =? 3 then 89 else 365 end.
Definition longest u :=
  match u with Day => 1 | Week _ => 7 | Months c _ => if c =? 1 then 31 else if c =? 3 then 92 else 366 end.
(** The first day of the unit that holds a day, and of the next unit. *)
Definition first_month c f m := f + (m - f) / c * c.
Definition start u d :=
  match u with Day => d | Week f => d - (d - f) mod 7 | Months c f => first_day (first_month c f (month_of d)) end.
Definition next u d :=
  match u with
  | Day => d + 1 | Week _ => start u d + 7 | Months c f => first_day (first_month c f (month_of d) + c)
  end.
Theorem units u d : sane_unit u ->
  start u d <= d < next u d /\ shortest u <= next u d - start u d <= longest u
  /\ start u (next u d) = next u d /\ forall e, start u d <= e < next u d -> start u e = start u d.
Proof.
  destruct u as [|f|c f]; cbn [sane_unit start next shortest longest]; intros C.
  - repeat split; lia.
  - repeat split; intros; Z.to_euclidean_division_equations; lia.
  - assert (P : 0 < c) by lia. pose proof (month_holds d) as M. unfold first_month. set (q := (month_of d - f) / c).
    assert (B : f + q * c <= month_of d < f + q * c + c) by (unfold q; Z.to_euclidean_division_equations; nia).
    pose proof (first_day_mono (f + q * c) (month_of d)).
    pose proof (first_day_mono (month_of d + 1) (f + q * c + c)).
    split; [lia|split; [|split]].
    + pose proof (month_lengths (f + q * c)). destruct C as [->|[->| ->]]; cbn; lia.
    + rewrite (month_unique (f + q * c + c)) by (pose proof (month_lengths (f + q * c + c)); lia).
      f_equal. replace (f + q * c + c - f) with ((q + 1) * c) by lia. rewrite Z.div_mul; lia.
    + intros e E. pose proof (month_holds e). do 2 f_equal. f_equal. symmetry.
      pose proof (first_day_mono (month_of e + 1) (f + q * c)).
      pose proof (first_day_mono (f + q * c + c) (month_of e)).
      apply Z.div_unique with (month_of e - f - q * c); lia.
Qed.
Section Unit.
Variable u : unit_.
Hypothesis sane : sane_unit u.
Lemma start_le r : start u r <= r. Proof. apply (units u r sane). Qed.
Lemma start_start r : start u (start u r) = start u r.
Proof. apply (units u r sane). pose proof (units u r sane). lia. Qed.
Lemma start_mono r r' : r <= r' -> start u r <= start u r'.
Proof.
  intros L. destruct (units u r sane) as (R & _ & N & S), (units u r' sane) as (R' & _ & _ & S').
  destruct (Z_lt_dec r' (next u r)); [rewrite (S r'); lia|].
  destruct (Z_le_dec (next u r) (start u r')); [lia|]. rewrite (S' (next u r)) in N; lia.
Qed.
(** A unit that has ended is whole. *)
Lemma whole e : start u (e + 1) = e + 1 -> shortest u <= e + 1 - start u e <= longest u.
Proof.
  intros C. destruct (units u e sane) as (R & L & _ & S). destruct (Z.eq_dec (next u e) (e + 1)); [lia|].
  rewrite (S (e + 1)) in C; lia.
Qed.
Lemma unit_before_whole r : start u r - start u (start u r - 1) <= longest u.
Proof. pose proof (whole (start u r - 1)) as W. rewrite Z.sub_add, start_start in W. lia. Qed.
End Unit.

(** ** Windows: WIN-01, WIN-02, OPD-05, OPD-06 *)
Lemma inside_bound epoch prev a b m n e :
  0 < m -> (forall d, In d (ends epoch prev n e) -> prev d <= d - m) ->
  m * size (filter (fun d => (a <=? prev d + 1) && (d <=? b)) (ends epoch prev n e)) <= Z.max 0 (Z.min e b - a + 1).
Proof.
  intros M. unfold size. revert e. induction n; intros e P; cbn [ends] in *; [cbn; lia|].
  destruct (e <? epoch); [cbn; lia|]. pose proof (P e (or_introl eq_refl)).
  specialize (IHn (prev e) (fun d Hd => P d (or_intror Hd))). cbn [filter].
  destruct ((a <=? prev e + 1) && (e <=? b)) eqn:I; cbn [length]; lia.
Qed.
(** Rolling windows of l days, tiled in l ways. *)
Definition rolling l e : Z := e - l.
Definition rolling_tiles l r := map (fun i => r - Z.of_nat i) (seq 0 (Z.to_nat l)).
Lemma rolling_extends epoch l : 0 < l -> extending epoch (rolling l) (rolling_tiles l) (fun _ _ => true).
Proof.
  intros P. split; auto. intros r r' t L H. apply in_map_iff in H. destruct H as (i & <- & Hi). apply in_seq in Hi.
  set (t := r - Z.of_nat i). pose proof (Z.mod_pos_bound (r' - t) l P). pose proof (Z.div_mod (r' - t) l ltac:(lia)).
  exists (r' - (r' - t) mod l). split.
  - apply in_map_iff. exists (Z.to_nat ((r' - t) mod l)). split; [lia|]. apply in_seq. lia.
  - assert (0 <= (r' - t) / l) by (apply Z.div_pos; unfold t in *; lia).
    assert (N : exists n, r' - (r' - t) mod l = t + Z.of_nat n * l)
      by (exists (Z.to_nat ((r' - t) / l)); rewrite Z2Nat.id by lia; lia).
    destruct N as [n ->]. apply (ends_reach epoch (rolling l)) with (chain := fun e => exists k, e = t + k * l);
      [unfold rolling; lia|nia|eauto|].
    intros e [k ->] He. unfold rolling. assert (0 < k) by (apply Z.lt_nge; intros N; nia).
    split; [nia|]. exists (k - 1). lia.
Qed.
Lemma rolling_bound epoch l n a b : 0 < l -> 0 <= n -> b - a + 1 <= n -> forall r t, In t (rolling_tiles l r) ->
  size (filter (fun d => (a <=? rolling l d + 1) && (d <=? b)) (ends epoch (rolling l) (fuel epoch t) t)) <= n / l.
Proof.
  intros P N B r t _. apply Z.div_le_lower_bound; auto.
  pose proof (inside_bound epoch (rolling l) a b l (fuel epoch t) t P ltac:(unfold rolling; lia)). lia.
Qed.

(** Calendar windows; a unit counts when it has ended. *)
Section Calendar.
Variable u : unit_.
Hypothesis sane : sane_unit u.
Definition unit_before e := start u e - 1.
Definition unit_tiles r := [start u (r + 1) - 1].
Definition has_ended e := start u (e + 1) = e + 1.
Lemma before_has_ended e : has_ended (unit_before e).
Proof. unfold has_ended, unit_before. rewrite Z.sub_add. now apply start_start. Qed.
Lemma calendar_extends epoch : extending epoch unit_before unit_tiles (fun _ _ => true).
Proof.
  split; auto. intros r r' t L [<-|[]]. exists (start u (r' + 1) - 1). split; [left; auto|].
  pose proof (start_mono u sane (r + 1) (r' + 1) ltac:(lia)).
  apply (ends_reach epoch unit_before) with (chain := has_ended); [|lia|apply (before_has_ended (r' + 1))|].
  - intros e. unfold unit_before. pose proof (start_le u sane e). lia.
  - intros e C He. split; [|apply before_has_ended]. unfold unit_before.
    pose proof (start_mono u sane (start u (r + 1)) e ltac:(lia)) as M. rewrite start_start in M by auto. lia.
Qed.
Lemma calendar_bound epoch n a b : 0 <= n -> b - a + 1 <= n -> forall r t, In t (unit_tiles r) ->
  size (filter (fun d => (a <=? unit_before d + 1) && (d <=? b)) (ends epoch unit_before (fuel epoch t) t))
    <= n / shortest u.
Proof.
  intros N B r t [<-|[]].
  assert (P : 0 < shortest u) by (destruct u; cbn; try destruct (_ =? _); try destruct (_ =? _); lia).
  apply Z.div_le_lower_bound; auto. set (t := start u (r + 1) - 1).
  pose proof (inside_bound epoch unit_before a b (shortest u) (fuel epoch t) t P) as I.
  etransitivity; [apply I|lia]. assert (C : has_ended t) by apply (before_has_ended (r + 1)). clear - C sane.
  revert C. generalize (fuel epoch t). intros k. generalize t. clear t. induction k; intros e C d; cbn; [tauto|].
  destruct (e <? epoch); cbn; [tauto|]. intros [<-|H]; [|apply (IHk (unit_before e)); auto using before_has_ended].
  pose proof (whole u sane e C). unfold unit_before. lia.
Qed.
End Calendar.

(** ** Periods: WIN-04 *)
Inductive period_ := LastDays (n : Z) | Calendar (u : unit_) | Previous (u : unit_) | AllTime.
Definition sane_period p := match p with Calendar u | Previous u => sane_unit u | _ => True end.
Definition holds_day p r d : bool :=
  (d <=? r) && match p with
  | LastDays n => r - n <? d
  | Calendar u => start u r <=? d
  | Previous u => (start u (start u r - 1) <=? d) && (d <? start u r)
  | AllTime => true
  end.
Definition most_days p :=
  match p with LastDays n => Some n | Calendar u | Previous u => Some (longest u) | AllTime => None end.
Definition most_back p :=
  match p with
  | LastDays n => Some (n - 1) | Calendar u => Some (longest u - 1) | Previous u => Some (longest u + (longest u - 1))
  | AllTime => None
  end.
Theorem periods_hold p r n : sane_period p ->
  (most_days p = Some n -> exists a, forall d, holds_day p r d = true -> a < d <= a + n)
  /\ (most_back p = Some n -> forall d, holds_day p r d = true -> r - n <= d).
Proof.
  unfold holds_day. destruct p as [m|u|u|]; cbn [most_days most_back sane_period]; intros S; split; intros E;
    try discriminate; injection E as <-.
  - exists (r - m). lia.
  - lia.
  - pose proof (units u r S). exists (start u r - 1). lia.
  - pose proof (units u r S). lia.
  - exists (start u (start u r - 1) - 1). pose proof (unit_before_whole u S r). lia.
  - pose proof (units u r S). pose proof (unit_before_whole u S r). lia.
Qed.
(** Which periods lie in which, at each reference day. *)
Inductive lies_in : period_ -> period_ -> Prop :=
| same_period p : lies_in p p
| in_all_time p : lies_in p AllTime
| in_more_days m n : m <= n -> lies_in (LastDays m) (LastDays n)
| in_many_days p m n : most_back p = Some m -> m < n -> lies_in p (LastDays n)
| today_in_unit u : lies_in (LastDays 1) (Calendar u)
| day_in_unit u : lies_in (Calendar Day) (Calendar u)
| months_in_months c f c' f' : (c | c') -> (c | f' - f) -> lies_in (Calendar (Months c f)) (Calendar (Months c' f')).
Theorem shorter_periods p q r d : sane_period p -> sane_period q -> lies_in p q ->
  holds_day p r d = true -> holds_day q r d = true.
Proof.
  intros P Q I H. destruct I as [| |m n L|p m n B L|u|u|c f c' f' [k ->] [j J]]; auto;
    try (pose proof (start_le u Q r)); try (unfold holds_day in *; cbn [start] in *; lia).
  - pose proof (proj2 (periods_hold p r m P) B d H). apply andb_prop in H. unfold holds_day. lia.
  - assert (start (Months (k * c) f') r <= start (Months c f) r); [|unfold holds_day in *; lia]. apply first_day_mono.
    cbn in P, Q. unfold first_month. replace f' with (f + j * c) by lia. Z.to_euclidean_division_equations. nia.
Qed.
