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
  Count | Days | Distinct | Sum | Max | Min | Average | Percentile (p : Z) | First | Last | FirstOf | LastOf.

(** An aggregate. [keep] is its record, path and `where`; [arg] gives the aggregated number of a fact or none, and
    for `contribution` 1, the number, or both; [period] says which days it holds at a reference day, [most] how
    many, [back] how many days back; [from] and [to] bound the elements; [key] orders the facts (AGG-08). *)
Record leaf := Leaf_ {
  fn : function; of_setting : bool; keep : fact -> bool; arg : fact -> list Z; key : fact -> Z;
  period : option (Z -> Z -> bool); most : option Z; back : option Z; from : Z; to : Z; leaf_type : ty }.

Definition in_period (l : leaf) (r d : Z) : bool :=
  (d <=? r) && match period l with None => true | Some p => p r d end.
Definition records_of (l : leaf) (w : world) := if of_setting l then settings w else facts w.
Definition seen (l : leaf) (w : world) : list fact :=
  filter (fun f => keep l f && in_period l (today w) (on f)) (records_of l w).
Definition elements (l : leaf) (w : world) : list Z := flat_map (arg l) (seen l w).
Definition days_seen (l : leaf) (w : world) : list Z := map (fun f => scale * on f) (seen l w).
Definition total (l : list Z) := fold_right Z.add 0 l.
Definition size {A} (l : list A) : Z := Z.of_nat (length l).
Definition extreme (f : Z -> Z -> Z) (l : list Z) : value :=
  match l with [] => None | z :: r => Some (fold_left f r z) end.
(** AGG-03: the value of rank k in rising order is the least one with k values at or below it. *)
Definition percentile (p : Z) (xs : list Z) : value :=
  extreme Z.min (filter (fun x => (p * size xs + 99) / 100 <=? size (filter (fun y => y <=? x) xs)) xs).
(** AGG-08: the number of the fact with the least key. *)
Fixpoint earliest (l : list (Z * Z)) : option (Z * Z) :=
  match l with
  | [] => None
  | p :: r => match earliest r with Some q => Some (if fst p <=? fst q then p else q) | None => Some p end
  end.
Definition keyed (sign : Z) (l : leaf) (w : world) :=
  flat_map (fun f => map (fun x => (sign * key l f, x)) (arg l f)) (seen l w).

Definition leaf_value (l : leaf) (w : world) : value :=
  let xs := elements l w in
  match fn l with
  | Count => Some (scale * size (seen l w))
  | Days => Some (scale * size (nodup Z.eq_dec (days_seen l w)))
  | Distinct => Some (scale * size (nodup Z.eq_dec xs))
  | Sum => Some (total xs)
  | Max => extreme Z.max xs
  | Min => extreme Z.min xs
  | Average => match xs with [] => None | _ => Some (rdiv (total xs) (size xs)) end
  | Percentile p => percentile p xs
  | First => extreme Z.min (days_seen l w)
  | Last => extreme Z.max (days_seen l w)
  | FirstOf => option_map snd (earliest (keyed 1 l w))
  | LastOf => option_map snd (earliest (keyed (-1) l w))
  end.

(** A dataset that loads: elements are what the declaration and `where` say, the value fits; a Bool is one. A
    period of at most n days lies in n consecutive ones. *)
Definition leaf_sane (l : leaf) (w : world) : Prop :=
  Forall (fun z => from l <= z <= to l) (elements l w)
  /\ match most l with
     | Some n => 0 <= n /\ exists a, forall d, in_period l (today w) d = true -> a < d <= a + n
     | None => True end
  /\ match back l with
     | Some n => forall d, in_period l (today w) d = true -> today w - n <= d
     | None => True end
  /\ match fn l with
     | Percentile p => 1 <= p <= 100 /\ leaf_type l <> TBool
     | FirstOf | LastOf => leaf_type l = TBool -> bool_value (leaf_value l w)
     | _ => leaf_type l <> TBool end
  /\ fits (leaf_value l w).

(** `last N days`, and a calendar unit that starts at [start r], or the one before it: WIN-04. *)
Definition last_days n r d := r - n <? d.
Definition calendar (start : Z -> Z) r d := start r <=? d.
Definition previous_unit (start : Z -> Z) r d := (start (start r - 1) <=? d) && (d <? start r).
Lemma last_days_hold n r :
  (exists a, forall d, (d <=? r) && last_days n r d = true -> a < d <= a + n)
  /\ forall d, (d <=? r) && last_days n r d = true -> r - (n - 1) <= d.
Proof. unfold last_days. split; [exists (r - n)|]; lia. Qed.
Lemma calendar_holds start n r : r - n < start r ->
  (exists a, forall d, (d <=? r) && calendar start r d = true -> a < d <= a + n)
  /\ forall d, (d <=? r) && calendar start r d = true -> r - (n - 1) <= d.
Proof. unfold calendar. intros H. split; [exists (start r - 1)|]; lia. Qed.
Lemma previous_holds start n r : r - n < start r -> start r - 1 - n < start (start r - 1) ->
  (exists a, forall d, (d <=? r) && previous_unit start r d = true -> a < d <= a + n)
  /\ forall d, (d <=? r) && previous_unit start r d = true -> r - (2 * (n - 1) + 1) <= d.
Proof. unfold previous_unit. intros H H'. split; [exists (start (start r - 1) - 1)|]; lia. Qed.

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
Lemma within_total_up xs ys :
  within_list xs ys -> Forall (fun z => 0 <= z) ys -> total xs <= total ys.
Proof.
  unfold total. induction 1; cbn; intros F; [lia| |]; inversion F as [|? ? Fx Fr]; subst; cbn in Fx;
    specialize (IHwithin_list Fr); unfold total in *; lia.
Qed.
Lemma within_total_down xs ys :
  within_list xs ys -> Forall (fun z => z <= 0) ys -> total ys <= total xs.
Proof.
  unfold total. induction 1; cbn; intros F; [lia| |]; inversion F as [|? ? Fx Fr]; subst; cbn in Fx;
    specialize (IHwithin_list Fr); unfold total in *; lia.
Qed.
Lemma nodup_grows (xs ys : list Z) :
  incl xs ys -> size (nodup Z.eq_dec xs) <= size (nodup Z.eq_dec ys).
Proof.
  intros H. unfold size. apply inj_le. apply NoDup_incl_length; [apply NoDup_nodup|].
  intros x Hx. apply nodup_In. apply nodup_In in Hx. auto.
Qed.

Lemma seen_grows l ax w w' : step ax w w' -> period l = None \/ ax = Added -> within_list (seen l w) (seen l w').
Proof.
  unfold seen, records_of. intros S H. inversion S as [fs gs s r W|fs s r r' L]; subst; cbn; destruct (of_setting l);
    apply within_filter; try apply within_refl; auto; intros x; unfold in_period; auto;
    destruct H as [-> |]; try discriminate; destruct (keep l x); cbn; lia.
Qed.

Lemma max_grows xs ys : incl xs ys -> ok_number (M true false true false) (extreme Z.max xs) (extreme Z.max ys).
Proof.
  destruct xs as [|x xs], ys as [|y ys]; cbn; auto; intros H; [now specialize (H x (or_introl eq_refl))|].
  split; auto. intros L. exfalso.
  assert (fold_left Z.max xs x <= fold_left Z.max ys y); [|lia].
  assert (B : forall z, In z (x :: xs) -> z <= fold_left Z.max ys y).
  { intros z Hz. apply H in Hz. destruct (fold_max_ge ys y) as [P Q]. destruct Hz as [->|Hz]; auto. }
  clear - B. revert x B. induction xs as [|a xs IH]; cbn; intros x B; [apply B; auto|].
  apply IH. intros z [<-|Hz]; [|apply B; auto].
  pose proof (B x (or_introl eq_refl)). pose proof (B a (or_intror (or_introl eq_refl))). lia.
Qed.
Lemma min_grows xs ys : incl xs ys -> ok_number (M false true true false) (extreme Z.min xs) (extreme Z.min ys).
Proof.
  destruct xs as [|x xs], ys as [|y ys]; cbn; auto; intros H; [now specialize (H x (or_introl eq_refl))|].
  split; auto. intros L. exfalso.
  assert (fold_left Z.min ys y <= fold_left Z.min xs x); [|lia].
  assert (B : forall z, In z (x :: xs) -> fold_left Z.min ys y <= z).
  { intros z Hz. apply H in Hz. destruct (fold_min_le ys y) as [P Q]. destruct Hz as [->|Hz]; auto. }
  clear - B. revert x B. induction xs as [|a xs IH]; cbn; intros x B; [apply B; auto|].
  apply IH. intros z [<-|Hz]; [|apply B; auto].
  pose proof (B x (or_introl eq_refl)). pose proof (B a (or_intror (or_introl eq_refl))). lia.
Qed.

(** * The rows *)

Record behaviour := B { vals : values; on_no_data : values; added : moves; passing : moves }.
Definition moves_of ax b := match ax with Added => added b | Passing => passing b end.
Definition constant v := B v v none_moves none_moves.

Definition leaf_row (l : leaf) : behaviour :=
  let numbers v n m := B v n m m in
  let of_row := range_or_none (from l) (to l) in
  match fn l with
  | Count | Distinct => numbers (range 0 limit) (exactly 0) (M true false false false)
  | Days => numbers (range 0 (match most l with Some n => n * scale | None => limit end)) (exactly 0)
              (M true false false false)
  | Sum => numbers (range (if from l <? 0 then - limit else 0) (if 0 <? to l then limit else 0)) (exactly 0)
             (M (0 <? to l) (from l <? 0) false false)
  | Max | Percentile 100 => numbers of_row vnone (M true false true false)
  | Min => numbers of_row vnone (M false true true false)
  | Average | Percentile _ => numbers of_row vnone (M true true true false)
  | First => B vany vnone (M false true true false) (M false false true false)
  | Last => numbers vany vnone (M true false true false)
  | FirstOf | LastOf =>
      numbers of_row vnone (match leaf_type l with TBool => all_moves | _ => M true true true false end)
  end.
Definition leaf_behaviour (l : leaf) : behaviour :=
  let row := leaf_row l in
  B (vals row) (on_no_data row) (if of_setting l then none_moves else added row)
    (match period l with None => passing row | Some _ => all_moves end).
Definition leaf_is_bool l := match leaf_type l with TBool => true | _ => false end.
Definition ok (bool : bool) := if bool then ok_bool else ok_number.

Definition no_data (w : world) := facts w = [] /\ settings w = [].
Lemma all_ok_number x x' : ok_number all_moves x x'. Proof. destruct x, x'; cbn; auto. Qed.
Lemma ok_same (bool : bool) m x : ok bool m x x.
Proof. destruct bool; [apply same_ok|]. destruct x; cbn; auto. lia. Qed.

Lemma filter_size {A} (p : A -> bool) l : size (filter p l) <= size l.
Proof. unfold size. induction l as [|x l IH]; cbn [filter length]; [lia|]. destruct (p x); cbn [length]; lia. Qed.
Lemma filter_all {A} (p : A -> bool) l : size l <= size (filter p l) -> forall x, In x l -> p x = true.
Proof.
  unfold size. induction l as [|y l IH]; intros H x; cbn in *; [tauto|].
  pose proof (filter_size p l) as F. unfold size in F. destruct (p y) eqn:E; cbn [length] in *; [|lia].
  intros [<-|Hx]; auto. apply IH; auto. lia.
Qed.
Lemma fold_max_in l z : In (fold_left Z.max l z) (z :: l).
Proof.
  revert z. induction l as [|y l IH]; cbn; intros z; auto.
  destruct (IH (Z.max z y)) as [H|H]; auto. rewrite <- H.
  destruct (Z.max_spec z y) as [[_ ->]|[_ ->]]; auto.
Qed.
Lemma fold_min_in l z : In (fold_left Z.min l z) (z :: l).
Proof.
  revert z. induction l as [|y l IH]; cbn; intros z; auto.
  destruct (IH (Z.min z y)) as [H|H]; auto. rewrite <- H.
  destruct (Z.min_spec z y) as [[_ ->]|[_ ->]]; auto.
Qed.
Lemma extreme_in (f : Z -> Z -> Z) l z : f = Z.min \/ f = Z.max -> extreme f l = Some z -> In z l.
Proof.
  destruct l as [|x l]; [discriminate|]. cbn [extreme]. intros [->| ->] H; injection H as <-;
    [apply fold_min_in|apply fold_max_in].
Qed.
Lemma least_is_least l z x : extreme Z.min l = Some z -> In x l -> z <= x.
Proof.
  destruct l as [|y l]; [discriminate|]. cbn [extreme]. intros H. injection H as <-.
  destruct (fold_min_le l y). intros [<-|]; auto.
Qed.
Lemma greatest_is_greatest l z x : extreme Z.max l = Some z -> In x l -> x <= z.
Proof.
  destruct l as [|y l]; [discriminate|]. cbn [extreme]. intros H. injection H as <-.
  destruct (fold_max_ge l y). intros [<-|]; auto.
Qed.
Lemma extreme_some f l x : In x l -> exists z, extreme f l = Some z.
Proof. destruct l; cbn; [tauto|eauto]. Qed.

Definition rank_reached p xs x := (p * size xs + 99) / 100 <=? size (filter (fun y => y <=? x) xs).
Lemma percentile_in p xs z : percentile p xs = Some z -> In z xs /\ rank_reached p xs z = true.
Proof. intros H. apply extreme_in in H; auto. now apply filter_In in H. Qed.
Lemma percentile_some p xs x : p <= 100 -> In x xs -> exists z, percentile p xs = Some z.
Proof.
  intros P H. destruct (extreme_some Z.max xs x H) as [m M].
  apply (extreme_some _ _ m). apply filter_In. split; [apply (extreme_in Z.max); auto|]. apply Z.leb_le.
  assert (E : filter (fun y => y <=? m) xs = xs).
  { assert (A : forall y, In y xs -> y <= m) by (intros; eapply greatest_is_greatest; eauto).
    clear - A. induction xs as [|y xs IH]; cbn in *; auto.
    rewrite (proj2 (Z.leb_le y m)) by auto. f_equal. auto. }
  rewrite E. assert (0 <= size xs) by (unfold size; lia).
  apply Z.lt_succ_r, Z.div_lt_upper_bound; [lia|nia].
Qed.
(** Percentile 100 is the greatest. *)
Lemma percentile_100 xs : percentile 100 xs = extreme Z.max xs.
Proof.
  destruct xs as [|x xs]; [reflexivity|]. set (l := x :: xs).
  destruct (percentile_some 100 l x ltac:(lia) ltac:(cbn; auto)) as [z Hz]. rewrite Hz.
  destruct (extreme_some Z.max l x ltac:(cbn; auto)) as [m Hm]. rewrite Hm. f_equal.
  apply percentile_in in Hz. destruct Hz as [I R]. apply Z.leb_le in R.
  pose proof (greatest_is_greatest l m z Hm I). apply extreme_in in Hm; auto.
  replace ((100 * size l + 99) / 100) with (size l) in R by (apply Z.div_unique with 99; lia).
  pose proof (filter_all _ _ R m Hm) as Q. cbn in Q. lia.
Qed.

Lemma earliest_some l : l <> [] -> exists p, earliest l = Some p.
Proof. destruct l as [|p l]; [congruence|]. cbn. destruct (earliest l); eauto. Qed.
Lemma earliest_in l p : earliest l = Some p -> In p l.
Proof.
  revert p. induction l as [|q l IH]; cbn; intros p; [discriminate|].
  destruct (earliest l) as [x|] eqn:E; intros H; injection H as <-; [|auto]. destruct (fst q <=? fst x); auto.
Qed.
Lemma keyed_elements sign l w : map snd (keyed sign l w) = elements l w.
Proof.
  unfold keyed, elements. induction (seen l w) as [|f fs IH]; cbn; auto.
  rewrite map_app, IH. f_equal. rewrite map_map. cbn. apply map_id.
Qed.

(** A later day brings no earlier fact. *)
Lemma first_stays l w w' p q :
  step Passing w w' -> period l = None ->
  extreme Z.min (days_seen l w) = Some p -> extreme Z.min (days_seen l w') = Some q -> p <= q.
Proof.
  intros S N Hp Hq. inversion S as [|fs s r r' L]; subst.
  pose proof (extreme_in Z.min _ _ (or_introl eq_refl) Hq) as I.
  pose proof (extreme_in Z.min _ _ (or_introl eq_refl) Hp) as J.
  apply in_map_iff in I. destruct I as (f & <- & I). apply in_map_iff in J. destruct J as (g & <- & J).
  unfold seen in I, J. apply filter_In in I. apply filter_In in J. destruct I as [I I'], J as [J J'].
  unfold in_period in *. rewrite N in *. cbn [today] in *. rewrite !andb_true_iff, Z.leb_le in *.
  destruct (Z_le_dec (on f) r) as [H|H].
  - apply (least_is_least _ _ _ Hp), in_map_iff. exists f. split; auto. unfold seen, in_period. rewrite N.
    apply filter_In. split; [exact I|]. cbn. rewrite !andb_true_iff, Z.leb_le. intuition.
  - unfold scale. lia.
Qed.

Lemma same_settings l w w' : step Added w w' -> of_setting l = true -> leaf_value l w = leaf_value l w'.
Proof.
  intros S N. inversion S; subst. unfold leaf_value, keyed, elements, days_seen, seen, records_of. now rewrite N.
Qed.

Lemma leaf_grows l w w' :
  within_list (seen l w) (seen l w') -> leaf_sane l w -> leaf_sane l w' ->
  ok (leaf_is_bool l) (added (leaf_row l)) (leaf_value l w) (leaf_value l w').
Proof.
  intros G (F & _ & _ & T & _) (F' & _ & _ & T' & _).
  pose proof (within_flat_map (arg l) _ _ G) as E; fold (elements l w) (elements l w') in E;
  pose proof (within_map (fun f => scale * on f) _ _ G) as D; fold (days_seen l w) (days_seen l w') in D;
  pose proof (within_length _ _ G) as L; pose proof (within_incl _ _ E) as EI; apply within_incl in D;
  pose proof (nodup_grows _ _ EI) as NE; pose proof (nodup_grows _ _ D) as ND.
  assert (K : fn l = FirstOf \/ fn l = LastOf \/ leaf_is_bool l = false)
    by (unfold leaf_is_bool; destruct (fn l), (leaf_type l); intuition).
  assert (N : forall sign, keyed sign l w <> [] -> keyed sign l w' <> []).
  { intros sign H H'. apply H. pose proof (keyed_elements sign l w) as K1. pose proof (keyed_elements sign l w') as K2.
    rewrite H' in K2. cbn in K2. rewrite <- K2 in EI. destruct (elements l w) as [|z zs].
    - now apply map_eq_nil in K1. - now specialize (EI z (or_introl eq_refl)). }
  assert (O : forall sign, ok_number (M true true true false)
      (option_map snd (earliest (keyed sign l w))) (option_map snd (earliest (keyed sign l w')))).
  { intros sign. specialize (N sign). destruct (keyed sign l w) eqn:X; [cbn; destruct (option_map _ _); cbn; auto|].
    assert (N' : keyed sign l w' <> []) by (apply N; discriminate).
    destruct (earliest_some _ N') as [q ->]. destruct (earliest (p :: l0)); cbn; auto. }
  assert (SU : Forall (fun z => from l <= z <= to l) (elements l w') ->
    ok_number (M (0 <? to l) (from l <? 0) false false) (Some (total (elements l w))) (Some (total (elements l w')))).
  { clear F'. intros F'. cbn. split; intros H.
    - destruct (0 <? to l) eqn:U; auto. rewrite Z.ltb_ge in U. apply Z.lt_nge in H. destruct H.
      apply within_total_down; auto. eapply Forall_impl; [|exact F']. cbn. lia.
    - destruct (from l <? 0) eqn:U; auto. rewrite Z.ltb_ge in U. apply Z.lt_nge in H. destruct H.
      apply within_total_up; auto. eapply Forall_impl; [|exact F']. cbn. lia. }
  assert (PE : forall p, 1 <= p <= 100 -> ok_number (M true true true false)
      (percentile p (elements l w)) (percentile p (elements l w'))).
  { intros p R. destruct (percentile p (elements l w)) as [z|] eqn:Z1; [|destruct (percentile p (elements l w'));
      cbn; auto].
    apply percentile_in in Z1. destruct Z1 as [Z1 _].
    destruct (percentile_some p _ z (proj2 R) (EI z Z1)) as [y ->]. cbn. auto. }
  unfold leaf_value, leaf_row, leaf_is_bool in *. assert (0 < scale) by reflexivity.
  destruct (fn l) as [| | | | | | |p| | | |];
    try (destruct K as [K|[K|K]]; try discriminate K; rewrite K; cbn [ok added on_no_data vals]).
  - split; [auto|nia].
  - split; [auto|nia].
  - split; [auto|nia].
  - auto.
  - now apply max_grows.
  - now apply min_grows.
  - destruct (elements l w) as [|x xs], (elements l w') as [|y ys]; cbn; auto; destruct (EI x (or_introl eq_refl)).
  - destruct (Z.eq_dec p 100) as [->|Hp]; [rewrite !percentile_100; now apply max_grows|].
    specialize (PE p (proj1 T)). replace (ok_number _) with (ok_number (M true true true false)); auto.
    destruct p as [|p|p]; auto. do 7 (destruct p; auto). congruence.
  - now apply min_grows.
  - now apply max_grows.
  - destruct (leaf_type l); cbn [ok added]; auto using all_ok.
  - destruct (leaf_type l); cbn [ok added]; auto using all_ok.
Qed.

Lemma leaf_moves l ax w w' :
  step ax w w' -> leaf_sane l w -> leaf_sane l w' ->
  ok (leaf_is_bool l) (moves_of ax (leaf_behaviour l)) (leaf_value l w) (leaf_value l w').
Proof.
  intros S H H'. unfold leaf_behaviour.
  destruct (period l) eqn:A, ax; cbn [moves_of added passing];
    try (destruct (leaf_is_bool l); [apply all_ok|apply all_ok_number]);
    try (destruct (of_setting l) eqn:Os; [rewrite (same_settings l w w' S Os); apply ok_same|]);
    pose proof (leaf_grows l w w' ltac:(eapply seen_grows; eauto) H H') as G; auto.
  assert (K : fn l = First \/ passing (leaf_row l) = added (leaf_row l)).
  { unfold leaf_row. destruct (fn l) as [| | | | | | |p| | | |]; auto.
    destruct p as [|p|p]; auto. do 7 (destruct p; auto). }
  destruct K as [K|K]; [|now rewrite K].
  destruct H as (_ & _ & _ & T & _). unfold leaf_value, leaf_row, leaf_is_bool in *. rewrite K in *.
  destruct (leaf_type l); cbn [ok passing added] in *; try congruence;
    destruct (extreme _ (days_seen l w)) as [p|] eqn:X, (extreme _ (days_seen l w')) as [q|] eqn:Y; cbn in *; auto;
    pose proof (first_stays l w w' p q S A X Y); intuition.
Qed.
Lemma rdiv_exact z s : 0 < s -> rdiv (z * s) s = z.
Proof.
  intros Hs. unfold rdiv. rewrite (proj2 (Z.ltb_lt 0 s) Hs). unfold rdiv_pos, half_up.
  assert (E : forall y, (2 * (y * s) + s) / (2 * s) = y).
  { intros y. symmetry. apply Z.div_unique with s; lia. }
  destruct (0 <=? z * s); [apply E|]. replace (- (z * s)) with (- z * s) by lia. rewrite E. lia.
Qed.
Lemma total_between xs l h : (forall z, In z xs -> l <= z <= h) -> l * size xs <= total xs <= h * size xs.
Proof.
  unfold size. induction xs as [|x xs IH]; intros H; [cbn; lia|].
  pose proof (H x (or_introl eq_refl)). specialize (IH (fun z Hz => H z (or_intror Hz))).
  change (total (x :: xs)) with (x + total xs). cbn [length]. lia.
Qed.

(** A period of n days holds at most n of them. *)
Lemma days_bound l w n a :
  0 <= n -> (forall d, in_period l (today w) d = true -> a < d <= a + n) ->
  size (nodup Z.eq_dec (days_seen l w)) <= n.
Proof.
  intros Hn N. unfold size. rewrite <- (Z2Nat.id n Hn). apply inj_le.
  rewrite <- (seq_length (Z.to_nat n) 0).
  rewrite <- (map_length (fun i => scale * (a + n - Z.of_nat i)) (seq 0 (Z.to_nat n))).
  apply NoDup_incl_length; [apply NoDup_nodup|]. intros x Hx. apply nodup_In, in_map_iff in Hx.
  destruct Hx as (f & <- & Hf). unfold seen in Hf. apply filter_In in Hf. destruct Hf as [_ Hf].
  apply andb_prop in Hf. destruct Hf as [_ Hf]. specialize (N _ Hf).
  apply in_map_iff. exists (Z.to_nat (a + n - on f)). split; [f_equal; lia|]. apply in_seq. lia.
Qed.

Lemma leaf_within l w : leaf_sane l w -> within (vals (leaf_behaviour l)) (leaf_value l w).
Proof.
  intros (F & Hn & _ & T & Fit). assert (P : forall z, In z (elements l w) -> from l <= z <= to l)
    by (now apply Forall_forall).
  assert (E : forall f z, f = Z.min \/ f = Z.max -> extreme f (elements l w) = Some z -> from l <= z <= to l)
    by (intros; apply P; eapply extreme_in; eauto).
  assert (O : forall sign, within (range_or_none (from l) (to l)) (option_map snd (earliest (keyed sign l w)))).
  { intros sign. destruct (earliest (keyed sign l w)) as [p|] eqn:X; [|reflexivity]. split; [reflexivity|].
    apply P. rewrite <- (keyed_elements sign). apply in_map, earliest_in, X. }
  assert (PE : forall p, within (range_or_none (from l) (to l)) (percentile p (elements l w))).
  { intros p. destruct (percentile p (elements l w)) as [z|] eqn:X; [|reflexivity]. split; [reflexivity|].
    apply percentile_in in X. now apply P. }
  unfold leaf_behaviour, leaf_row, leaf_value in *. cbn [vals]. assert (0 < scale) by reflexivity.
  destruct (fn l) as [| | | | | | |p| | | |] eqn:Efn; cbn [vals]; auto.
  - cbn in Fit |- *. split; auto. unfold size in *. nia.
  - cbn in Fit |- *. split; auto. destruct (most l) as [n|]; [destruct Hn as (Hn & a & Ha);
      pose proof (days_bound l w n a Hn Ha)|]; unfold size in *; nia.
  - cbn in Fit |- *. split; auto. unfold size in *. nia.
  - cbn in Fit |- *. split; auto. pose proof (total_between _ _ _ P) as S. unfold size in S.
    destruct (from l <? 0) eqn:E1, (0 <? to l) eqn:E2; rewrite ?Z.ltb_lt, ?Z.ltb_ge in *; split; nia.
  - destruct (extreme _ _) eqn:X; cbn; eauto.
  - destruct (extreme _ _) eqn:X; cbn; eauto.
  - pose proof (total_between _ _ _ P) as S. destruct (elements l w) as [|x xs]; cbn -[rdiv total size]; auto.
    split; auto. assert (Q : 0 < size (x :: xs)) by (unfold size; cbn [length]; lia).
    rewrite <- (rdiv_exact (from l) _ Q) at 1. rewrite <- (rdiv_exact (to l) _ Q) at 1.
    split; apply rdiv_mono; nia.
  - replace (vals _) with (range_or_none (from l) (to l)); auto.
    destruct p as [|p|p]; auto. do 7 (destruct p; auto).
  - destruct (extreme _ _); cbn in *; auto.
  - destruct (extreme _ _); cbn in *; auto.
Qed.
Lemma leaf_on_no_data l w : no_data w -> within (on_no_data (leaf_behaviour l)) (leaf_value l w).
Proof.
  intros [F S]. unfold leaf_behaviour, leaf_value, leaf_row, keyed, elements, days_seen, seen, records_of.
  rewrite F, S. destruct (of_setting l), (fn l) as [| | | | | | |p| | | |]; cbn; try reflexivity;
    try (split; auto; unfold scale; cbn; lia).
  all: replace (on_no_data _) with vnone; [reflexivity|destruct p as [|p|p]; auto; do 7 (destruct p; auto)].
Qed.
Lemma leaf_plain l fs s s' r :
  of_setting l = false -> leaf_value l (World fs s r) = leaf_value l (World fs s' r).
Proof. unfold leaf_value, keyed, elements, days_seen, seen, records_of. now intros ->. Qed.
