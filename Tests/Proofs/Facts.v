(** Datasets, days and the rows of the table of leaves: aggregates over facts. *)

From Metricc Require Export Logic.

(** A fact: its day, and a number that stands for all else. Conditions and fields are functions of facts: what
    they read of entities and links is fixed, since these do not change when a fact is added. *)
Record fact := Fact { on : Z; content : Z }.
(** What a value depends on (IDEA-04): facts, settings (REC-08) and the reference day. *)
Record world := World { facts : list fact; settings : list fact; today : Z }.

Inductive within_list {A} : list A -> list A -> Prop :=
| both_empty : within_list [] []
| skip x xs ys : within_list xs ys -> within_list xs (x :: ys)
| keep_one x xs ys : within_list xs ys -> within_list (x :: xs) (x :: ys).

(** Facts are added, none of them a setting; or days pass. *)
Inductive axis := Added | Passing.
Inductive step : axis -> world -> world -> Prop :=
| add_facts fs gs s r : within_list fs gs -> step Added (World fs s r) (World gs s r)
| pass_days fs s r r' : r <= r' -> step Passing (World fs s r) (World fs s r').

Inductive ty := TInt | TDecimal | TBool | TDay | TText.
Inductive function :=
  Count | Days | Distinct | Sum | Max | Min | Average | Stddev | Percentile (p : Z) | First | Last | FirstOf | LastOf.

(** ** What is made of some numbers *)
Definition total (l : list Z) := fold_right Z.add 0 l.
Lemma total_app a b : total (a ++ b) = total a + total b.
Proof. unfold total. induction a; cbn [app fold_right]; lia. Qed.
Lemma total_0 l : (forall z, In z l -> z = 0) -> total l = 0.
Proof. unfold total. induction l as [|x l IH]; cbn; auto. intros H. rewrite (H x), IH; auto. Qed.
Definition size {A} (l : list A) : Z := Z.of_nat (length l).
Definition average xs : value := match xs with [] => None | _ => Some (rdiv (total xs) (size xs)) end.
(** AGG-09: twice the deviation is the root of 4 Σ(n x − Σx)² / n³; half away from zero. *)
Definition stddev xs : value :=
  let n := size xs in
  let squares := map (fun x => (n * x - total xs) * (n * x - total xs)) xs in
  match xs with [] => None | _ => Some ((Z.sqrt (4 * total squares / (n * n * n)) + 1) / 2) end.
(** AGG-03: the value of rank k in rising order is the least one with k values at or below it. *)
Definition rank_reached p xs x := (p * size xs + 99) / 100 <=? size (filter (fun y => y <=? x) xs).
Definition percentile (p : Z) (xs : list Z) : value := extreme false (filter (rank_reached p xs) xs).
Definition different (xs : list Z) : Z := size (nodup Z.eq_dec xs).
Definition of_list (f : function) (xs : list Z) : value :=
  match f with
  | Distinct => Some (scale * different xs) | Sum => Some (total xs)
  | Max => extreme true xs | Min => extreme false xs
  | Average => average xs | Stddev => stddev xs | Percentile p => percentile p xs
  | _ => None
  end.

(** An aggregate. [keep] is its record, path and `where`; [arg] gives the aggregated number of a fact or none, and
    for `contribution` 1, the number, or both; [period] says which days it holds at a reference day, [most] how
    many, [back] how many days back; [from] and [to] bound the elements; [key] orders the facts (AGG-08). *)
Record leaf := Leaf_ {
  fn : function; of_setting : bool; keep : fact -> bool; arg : fact -> list Z; key : fact -> Z;
  period : option (Z -> Z -> bool); most : option Z; back : option Z; from : Z; to : Z; leaf_type : ty }.

Definition type_is_bool t := match t with TBool => true | _ => false end.
Definition leaf_is_bool l := type_is_bool (leaf_type l).
Definition in_period (l : leaf) (r d : Z) : bool :=
  (d <=? r) && match period l with None => true | Some p => p r d end.
Definition records_of (l : leaf) (w : world) := if of_setting l then settings w else facts w.
Definition seen (l : leaf) (w : world) : list fact :=
  filter (fun f => keep l f && in_period l (today w) (on f)) (records_of l w).
Definition elements (l : leaf) (w : world) : list Z := flat_map (arg l) (seen l w).
Definition days_seen (l : leaf) (w : world) : list Z := map (fun f => scale * on f) (seen l w).
(** AGG-08: the number of the fact with the least key. *)
Fixpoint earliest (l : list (Z * Z)) : option (Z * Z) :=
  match l with
  | [] => None
  | p :: r => match earliest r with Some q => Some (if fst p <=? fst q then p else q) | None => Some p end
  end.
Definition keyed (sign : Z) (l : leaf) (w : world) :=
  flat_map (fun f => map (fun x => (sign * key l f, x)) (arg l f)) (seen l w).

Definition earliest_number sign l w : value := option_map snd (earliest (keyed sign l w)).
Definition leaf_value (l : leaf) (w : world) : value :=
  match fn l with
  | Count => Some (scale * size (seen l w))
  | Days => Some (scale * different (days_seen l w))
  | First => extreme false (days_seen l w)
  | Last => extreme true (days_seen l w)
  | FirstOf => earliest_number 1 l w
  | LastOf => earliest_number (-1) l w
  | f => of_list f (elements l w)
  end.

Ltac by_seen := unfold leaf_value, earliest_number, keyed, elements, days_seen, seen.

(** A dataset that loads: elements are what the declaration and `where` say, the value fits; a Bool is one. A
    period of at most n days lies in n consecutive ones. *)
Definition picks f := match f with FirstOf | LastOf => true | _ => false end.
Definition leaf_sane (l : leaf) (w : world) : Prop :=
  (forall z, In z (elements l w) -> from l <= z <= to l)
  /\ match most l with
     | Some n => 0 <= n /\ exists a, forall d, in_period l (today w) d = true -> a < d <= a + n
     | None => True end
  /\ match back l with
     | Some n => forall d, in_period l (today w) d = true -> today w - n <= d
     | None => True end
  /\ (leaf_is_bool l = true -> picks (fn l) = true /\ bool_value (leaf_value l w))
  /\ match fn l with Percentile p => 1 <= p <= 100 | _ => True end
  /\ fits (leaf_value l w).

(** * What adding facts and passing days have in common: more facts are seen *)

Lemma within_refl {A} (l : list A) : within_list l l.
Proof. induction l; [apply both_empty|apply keep_one; auto]. Qed.
Lemma within_filter {A} (p q : A -> bool) xs ys :
  within_list xs ys -> (forall x, p x = true -> q x = true) -> within_list (filter p xs) (filter q ys).
Proof.
  intros W H. induction W as [|x xs ys W IH|x xs ys W IH]; cbn; [constructor| |].
  - destruct (q x); [now apply skip|auto].
  - destruct (p x) eqn:P; [rewrite (H x P); now apply keep_one|]. destruct (q x); [now apply skip|auto].
Qed.
Lemma within_app {A} (z xs ys : list A) : within_list xs ys -> within_list (z ++ xs) (z ++ ys).
Proof. induction z; cbn; auto. intros. apply keep_one. auto. Qed.
Lemma within_skip {A} (z xs ys : list A) : within_list xs ys -> within_list xs (z ++ ys).
Proof. induction z; cbn; auto. intros. apply skip. auto. Qed.
Lemma within_flat_map {A B} (f : A -> list B) xs ys :
  within_list xs ys -> within_list (flat_map f xs) (flat_map f ys).
Proof. induction 1; cbn; [apply both_empty|now apply within_skip|now apply within_app]. Qed.
Lemma within_map {A B} (f : A -> B) xs ys : within_list xs ys -> within_list (map f xs) (map f ys).
Proof. induction 1; cbn; [apply both_empty|now apply skip|now apply keep_one]. Qed.
Lemma within_incl {A} (xs ys : list A) : within_list xs ys -> incl xs ys.
Proof. induction 1; intros y; cbn; [tauto| |]; firstorder. Qed.
Lemma within_length {A} (xs ys : list A) : within_list xs ys -> size xs <= size ys.
Proof. unfold size. induction 1; cbn [length]; lia. Qed.
Lemma within_total xs ys (up : bool) : within_list xs ys -> (forall z, In z ys -> if up then 0 <= z else z <= 0) ->
  if up then total xs <= total ys else total ys <= total xs.
Proof.
  unfold total. induction 1; intros F; [now destruct up| |]; specialize (IHwithin_list (fun z I => F z (or_intror I)));
    specialize (F x (or_introl eq_refl)); destruct up; cbn [fold_right]; lia.
Qed.
Lemma different_grows (xs ys : list Z) : incl xs ys -> different xs <= different ys.
Proof.
  intros H. unfold different, size. apply inj_le, NoDup_incl_length; [apply NoDup_nodup|].
  intros x. rewrite !nodup_In. apply H.
Qed.

Lemma seen_grows l ax w w' : step ax w w' -> period l = None \/ ax = Added -> within_list (seen l w) (seen l w').
Proof.
  unfold seen, records_of. intros S H. inversion S as [fs gs s r W|fs s r r' L]; subst; cbn; destruct (of_setting l);
    apply within_filter; try apply within_refl; auto; intros x; unfold in_period; auto;
    destruct H as [-> |]; try discriminate; destruct (keep l x); cbn; lia.
Qed.

Definition extreme_row (up : bool) := M up (negb up) true false.
Lemma extreme_grows up xs ys : incl xs ys -> ok_number (extreme_row up) (extreme up xs) (extreme up ys).
Proof.
  intros I. destruct (extreme up xs) as [p|] eqn:P, (extreme up ys) as [q|] eqn:Q; cbn; auto.
  - pose proof (extreme_best _ _ _ p Q (I _ (extreme_in _ _ _ P))). destruct up; cbn in *; split; auto; lia.
  - destruct (extreme_some up ys p); [apply I, (extreme_in _ _ _ P)|congruence].
Qed.

(** As days pass, the first of what came up to a day stays the first. *)
Lemma first_stays r xs ys p q : (forall x, In x xs <-> In x ys /\ x <= r) ->
  extreme false xs = Some p -> extreme false ys = Some q -> p = q.
Proof.
  intros H P Q. pose proof (proj1 (H p) (extreme_in _ _ _ P)) as [I L]. pose proof (extreme_best _ _ _ _ Q I) as B.
  cbn in B. pose proof (extreme_best _ _ _ q P) as B'. cbn in B'. specialize (B' ltac:(apply H; split;
    [eapply extreme_in; eassumption|lia])). lia.
Qed.

(** * The rows *)

Record behaviour := B { vals : values; on_no_data : values; added : moves; passing : moves }.
Definition moves_of ax b := match ax with Added => added b | Passing => passing b end.
Definition constant v := B v v none_moves none_moves.

(** Of numbers from l to h. *)
Definition list_values f l h :=
  match f with
  | Count | Days | Distinct => range 0 limit
  | Sum => range (if l <? 0 then - limit else 0) (if 0 <? h then limit else 0)
  | Stddev => range_or_none 0 limit
  | _ => range_or_none l h
  end.
Definition list_moves f l h :=
  match f with
  | Count | Days | Distinct => M true false false false
  | Sum => M (0 <? h) (l <? 0) false false
  | Max | Last => extreme_row true
  | Min | First => extreme_row false
  | Percentile p => if p =? 100 then extreme_row true else M true true true false
  | _ => M true true true false
  end.
Definition leaf_row (l : leaf) : behaviour :=
  let v := list_values (fn l) (from l) (to l) in
  let m := list_moves (fn l) (from l) (to l) in
  match fn l with
  | Count | Distinct | Sum => B v (exactly 0) m m
  | Days => B (range 0 (match most l with Some n => n * scale | None => limit end)) (exactly 0) m m
  | First => B vany vnone m (M false false true false)
  | Last => B vany vnone m m
  | FirstOf | LastOf => let m := if leaf_is_bool l then all_moves else m in B v vnone m m
  | _ => B v vnone m m
  end.
Definition leaf_behaviour (l : leaf) : behaviour :=
  let row := leaf_row l in
  B (vals row) (on_no_data row) (if of_setting l then none_moves else added row)
    (match period l with None => passing row | Some _ => all_moves end).
Definition ok (bool : bool) := if bool then ok_bool else ok_number.

Definition no_data (w : world) := facts w = [] /\ settings w = [].
Lemma ok_same (bool : bool) m x : ok bool m x x.
Proof. destruct bool; [apply same_ok|apply same_number]. Qed.

Lemma filter_size {A} (p : A -> bool) l : size (filter p l) <= size l.
Proof. unfold size. induction l as [|x l IH]; cbn [filter length]; [lia|]. destruct (p x); cbn [length]; lia. Qed.
Lemma filter_all {A} (p : A -> bool) l : size l <= size (filter p l) -> forall x, In x l -> p x = true.
Proof.
  unfold size. induction l as [|y l IH]; intros H x; cbn in *; [tauto|].
  pose proof (filter_size p l) as F. unfold size in F. destruct (p y) eqn:E; cbn [length] in *; [|lia].
  intros [<-|Hx]; auto. apply IH; auto. lia.
Qed.
Lemma percentile_in p xs z : percentile p xs = Some z -> In z xs /\ rank_reached p xs z = true.
Proof. intros H. apply extreme_in in H. now apply filter_In in H. Qed.
Lemma percentile_some p xs x : p <= 100 -> In x xs -> exists z, percentile p xs = Some z.
Proof.
  intros P H. destruct (extreme_some true xs x H) as [m M].
  apply (extreme_some _ _ m). apply filter_In. split; [now apply extreme_in in M|]. apply Z.leb_le.
  replace (filter (fun y => y <=? m) xs) with xs.
  - assert (0 <= size xs) by (unfold size; lia). apply Z.lt_succ_r, Z.div_lt_upper_bound; [lia|nia].
  - assert (A : forall y, In y xs -> y <= m) by (intros; eapply (extreme_best true); eauto).
    clear - A. induction xs as [|y xs IH]; cbn in *; auto.
    rewrite (proj2 (Z.leb_le y m)) by auto. f_equal. auto.
Qed.
(** Percentile 100 is the greatest. *)
Lemma percentile_100 xs : percentile 100 xs = extreme true xs.
Proof.
  destruct xs as [|x xs]; [reflexivity|]. set (l := x :: xs).
  destruct (percentile_some 100 l x ltac:(lia) (in_eq x xs)) as [z Hz]. rewrite Hz.
  destruct (extreme_some true l x (in_eq x xs)) as [m Hm]. rewrite Hm. f_equal.
  apply percentile_in in Hz. destruct Hz as [I R]. apply Z.leb_le in R.
  pose proof (extreme_best _ _ _ z Hm I) as B. apply extreme_in in Hm. cbn [at_best] in B.
  replace ((100 * size l + 99) / 100) with (size l) in R by (apply Z.div_unique with 99; lia).
  pose proof (filter_all _ _ R m Hm) as Q. cbn in Q. lia.
Qed.
Lemma total_between xs l h : (forall z, In z xs -> l <= z <= h) -> l * size xs <= total xs <= h * size xs.
Proof.
  unfold size. induction xs as [|x xs IH]; intros H; [cbn; lia|].
  pose proof (H x (or_introl eq_refl)). specialize (IH (fun z Hz => H z (or_intror Hz))).
  change (total (x :: xs)) with (x + total xs). cbn [length]. lia.
Qed.
Lemma average_between xs l h z : (forall z, In z xs -> l <= z <= h) -> average xs = Some z -> l <= z <= h.
Proof.
  intros P E. pose proof (total_between _ _ _ P) as S. destruct xs as [|x xs]; cbn [average] in E; [discriminate|].
  injection E as <-. set (n := size _) in *. assert (0 < n) by (unfold n, size; cbn [length]; lia).
  rewrite <- (rdiv_exact l n), <- (rdiv_exact h n) by auto. split; apply rdiv_mono; auto;
    (apply Z.mul_le_mono_nonneg_r; [lia|apply S]).
Qed.
Lemma stddev_nonneg xs z : stddev xs = Some z -> 0 <= z.
Proof.
  destruct xs; [discriminate|]. intros E. injection E as <-. apply Z.div_pos; [|lia].
  apply Z.add_nonneg_nonneg; [apply Z.sqrt_nonneg|lia].
Qed.

Definition of_numbers f :=
  match f with Distinct | Sum | Max | Min | Average | Stddev => True | Percentile p => 1 <= p <= 100 | _ => False end.
Lemma of_list_within f l h xs : of_numbers f -> (forall z, In z xs -> l <= z <= h) -> fits (of_list f xs) ->
  within (list_values f l h) (of_list f xs).
Proof.
  intros N P Fit. pose proof (total_between _ _ _ P) as S. pose proof (fun z => average_between xs l h z P) as A.
  pose proof (fun up z H => P z (extreme_in up xs z H)) as E. pose proof (stddev_nonneg xs) as D.
  pose proof (fun p z H => P z (proj1 (percentile_in p xs z H))) as R.
  assert (0 <= different xs /\ 0 <= size xs) by (unfold different, size; lia).
  destruct f; try destruct N; cbn [of_list list_values] in *; try (split; [reflexivity|]);
    try (match goal with |- within _ ?x => destruct x eqn:X end); cbn in *; eauto.
  - unfold scale in *. lia.
  - destruct (l <? 0) eqn:?, (0 <? h) eqn:?; nia.
  - split; auto. specialize (D _ eq_refl). lia.
Qed.
(** A number that is none only of nothing. *)
Lemma of_list_some f xs x : of_numbers f -> In x xs -> exists z, of_list f xs = Some z.
Proof.
  intros N I. destruct f; try destruct N; cbn [of_list]; eauto using extreme_some, percentile_some;
    (destruct xs; [destruct I|cbn; eauto]).
Qed.
Lemma of_list_grows f l h xs ys : of_numbers f -> within_list xs ys -> (forall z, In z ys -> l <= z <= h) ->
  ok_number (list_moves f l h) (of_list f xs) (of_list f ys).
Proof.
  intros N W P. pose proof (within_incl _ _ W) as I. pose proof (different_grows _ _ I).
  assert (Mix : forall g, of_numbers g -> of_list g [] = None ->
    ok_number (M true true true false) (of_list g xs) (of_list g ys)).
  { intros g G Z. destruct xs as [|x xs]; [rewrite Z; now destruct (of_list g ys)|].
    destruct (of_list_some g ys x G (I _ (in_eq x xs))) as [z ->]. destruct (of_list g (x :: xs)); cbn; auto. }
  destruct f; try destruct N; cbn [list_moves]; try (now apply Mix); try (now apply extreme_grows).
  - cbn. unfold scale. split; auto. lia.
  - pose proof (within_total xs ys true W) as U. pose proof (within_total xs ys false W) as D. cbn.
    split; intros L; [destruct (0 <? h) eqn:E|destruct (l <? 0) eqn:E]; auto; exfalso;
      [apply Z.lt_nge in L; apply L, D|apply Z.lt_nge in L; apply L, U]; intros z Hz; specialize (P z Hz); lia.
  - destruct (Z.eqb_spec p 100) as [->|]; [cbn [of_list]; rewrite !percentile_100; now apply extreme_grows|].
    now apply Mix.
Qed.

Lemma earliest_spec sign l w :
  match earliest_number sign l w with Some z => In z (elements l w) | None => elements l w = [] end.
Proof.
  unfold earliest_number. replace (elements l w) with (map snd (keyed sign l w)).
  - induction (keyed sign l w) as [|q ps IH]; [reflexivity|]. cbn [earliest map].
    destruct (earliest ps) as [x|]; cbn in *; [destruct (fst q <=? fst x); cbn; auto|auto].
  - unfold keyed, elements. induction (seen l w) as [|f fs IH]; cbn; auto.
    rewrite map_app, IH, map_map. cbn. now rewrite map_id.
Qed.
Lemma earliest_grows sign l w w' : incl (elements l w) (elements l w') ->
  ok_number (M true true true false) (earliest_number sign l w) (earliest_number sign l w').
Proof.
  intros I. pose proof (earliest_spec sign l w) as P. pose proof (earliest_spec sign l w') as Q.
  destruct (earliest_number sign l w) as [p|], (earliest_number sign l w'); cbn; auto.
  rewrite Q in I. destruct (I p P).
Qed.

Lemma days_seen_before l fs s r r' : r <= r' -> period l = None -> forall z,
  In z (days_seen l (World fs s r)) <-> In z (days_seen l (World fs s r')) /\ z <= scale * r.
Proof.
  intros L N z. unfold days_seen, seen, in_period, records_of, scale. rewrite N, !in_map_iff. cbn [today facts settings].
  setoid_rewrite filter_In. split; [intros (f & <- & I & K)|intros [(f & <- & I & K) Le]]; try split; try exists f;
    rewrite ?andb_true_iff, ?Z.leb_le in *; intuition lia.
Qed.
Lemma same_settings l w w' : step Added w w' -> of_setting l = true -> leaf_value l w = leaf_value l w'.
Proof.
  intros S N. inversion S; subst. by_seen. unfold records_of. now rewrite N.
Qed.
Lemma leaf_grows l w w' : within_list (seen l w) (seen l w') -> leaf_sane l w -> leaf_sane l w' ->
  ok (leaf_is_bool l) (added (leaf_row l)) (leaf_value l w) (leaf_value l w').
Proof.
  intros G (F & _ & _ & T & R & _) (F' & _).
  assert (E : within_list (elements l w) (elements l w')) by now apply within_flat_map.
  assert (D : incl (days_seen l w) (days_seen l w')) by now apply incl_map, within_incl.
  pose proof (within_length _ _ G) as L. pose proof (different_grows _ _ D) as ND. apply within_incl in E as EI.
  unfold leaf_value, leaf_row, picks in *. destruct (fn l) as [| | | | | | | |p| | | |];
    try (destruct (leaf_is_bool l); [destruct (T eq_refl); discriminate|]); cbn [ok added];
    try (now apply of_list_grows); try (now apply extreme_grows);
    try (cbn; unfold scale; split; [auto|lia]); 
    (destruct (leaf_is_bool l); [apply all_ok|now apply earliest_grows]).
Qed.
Lemma leaf_moves l ax w w' : step ax w w' -> leaf_sane l w -> leaf_sane l w' ->
  ok (leaf_is_bool l) (moves_of ax (leaf_behaviour l)) (leaf_value l w) (leaf_value l w').
Proof.
  intros S H H'. unfold leaf_behaviour.
  destruct (period l) eqn:A, ax; cbn [moves_of added passing];
    try (destruct (leaf_is_bool l); [apply all_ok|apply all_ok_number]);
    try (destruct (of_setting l) eqn:Os; [rewrite (same_settings l w w' S Os); apply ok_same|]);
    pose proof (leaf_grows l w w' ltac:(eapply seen_grows; eauto) H H') as G; auto.
  destruct H as (_ & _ & _ & T & _). unfold leaf_value, leaf_row, picks in *. destruct (fn l); auto.
  destruct (leaf_is_bool l); [destruct (T eq_refl); discriminate|]. cbn [ok passing added] in *.
  destruct (extreme _ (days_seen l w)) as [p|] eqn:X, (extreme _ (days_seen l w')) as [q|] eqn:Y; cbn in *; auto.
  inversion S; subst. pose proof (first_stays _ _ _ p q (days_seen_before l _ _ _ _ H A) X Y). lia.
Qed.

(** A period of n days holds at most n of them. *)
Lemma days_bound l w n a : 0 <= n -> (forall d, in_period l (today w) d = true -> a < d <= a + n) ->
  different (days_seen l w) <= n.
Proof.
  intros Hn N. unfold different, size. rewrite <- (Z2Nat.id n Hn). apply inj_le.
  rewrite <- (seq_length (Z.to_nat n) 0), <- (map_length (fun i => scale * (a + n - Z.of_nat i)) (seq 0 (Z.to_nat n))).
  apply NoDup_incl_length; [apply NoDup_nodup|]. intros x Hx. apply nodup_In, in_map_iff in Hx.
  destruct Hx as (f & <- & Hf). apply filter_In in Hf. destruct Hf as [_ Hf]. apply andb_prop in Hf.
  specialize (N _ (proj2 Hf)). apply in_map_iff. exists (Z.to_nat (a + n - on f)).
  split; [f_equal; lia|]. apply in_seq. lia.
Qed.
Lemma leaf_within l w : leaf_sane l w -> within (vals (leaf_behaviour l)) (leaf_value l w).
Proof.
  intros (F & Hn & _ & T & R & Fit).
  assert (O : forall sign, within (range_or_none (from l) (to l)) (earliest_number sign l w)).
  { intros sign. pose proof (earliest_spec sign l w). destruct (earliest_number sign l w); cbn; auto. }
  unfold leaf_behaviour, leaf_row, leaf_value in *. cbn [vals].
  destruct (fn l) as [| | | | | | | |p| | | |] eqn:Efn; cbn [vals]; try (apply of_list_within; easy); auto.
  - cbn in Fit |- *. split; auto. unfold size, scale in *. lia.
  - cbn in Fit |- *. split; auto. assert (0 <= different (days_seen l w)) by (unfold different, size; lia).
    destruct (most l) as [n|]; [destruct Hn as (Hn & a & Ha); pose proof (days_bound l w n a Hn Ha)|];
      unfold scale in *; lia.
  - destruct (extreme _ _); cbn in *; auto.
  - destruct (extreme _ _); cbn in *; auto.
Qed.
Lemma leaf_on_no_data l w : no_data w -> within (on_no_data (leaf_behaviour l)) (leaf_value l w).
Proof.
  intros [F S]. unfold leaf_behaviour, leaf_row. by_seen.
  unfold records_of. rewrite F, S. destruct (of_setting l), (fn l); cbn; try reflexivity; split; auto; lia.
Qed.
Lemma leaf_plain l fs s s' r :
  of_setting l = false -> leaf_value l (World fs s r) = leaf_value l (World fs s' r).
Proof. by_seen. unfold records_of. now intros ->. Qed.
