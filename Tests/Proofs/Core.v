(** The analysis of an expression in which no leaf occurs twice, and its soundness.

    [behaviour_of] is executable: `.ci/proofs` extracts it and compares it with the checker. What relates two
    occurrences of a leaf (what a condition says, point by point, growth) is not modelled. *)

From Metricc Require Export Facts.

(** A leaf: its row and that of `is none`, whether it reads no settings, on which datasets it has a value.
    None of its numbers lies between 0 and [least_part]; with a [reach] it is a day that is not after `day`, and at
    most so many days before it. *)
Record source := Source {
  src_type : ty; least_part : Z; reach : option (option Z); row : behaviour; none_row : behaviour;
  plain : bool; src_value : world -> value; loads : world -> Prop }.

Inductive expr :=
| Lit (t : ty) (x : value)
| Src (s : source)
| Add (a b : expr) | Sub (a b : expr) | Mul (a b : expr) | Div (a b : expr)
| Neg (a : expr) | Floor (a : expr) | Widen (a : expr)
| Least (a b : expr) | Greatest (a b : expr)
| Cmp (c : comparison) (a b : expr)
| And (a b : expr) | Or (a b : expr) | Not (a : expr)
| IsNone (a : expr)
| Between (a b : expr) | Is (truth : bool) (a : expr) | Among (members : list Z) (a : expr)
| If (c a b : expr).

Fixpoint type (e : expr) : ty :=
  match e with
  | Lit t _ => t
  | Src s => src_type s
  | Add a _ | Sub a _ | Mul a _ | Neg a | Least a _ | Greatest a _ | If _ a _ => type a
  | Div _ _ | Widen _ => TDecimal
  | Floor _ | Between _ _ => TInt
  | Cmp _ _ _ | And _ _ | Or _ _ | Not _ | IsNone _ | Is _ _ | Among _ _ => TBool
  end.
Definition is_bool e := type_is_bool (type e).
Definition is_number e := match type e with TInt | TDecimal => true | _ => false end.

Definition is_none (x : value) : value := match x with None => truth | Some _ => falsity end.

Definition member (ms : list Z) (x : value) : value := option_map (fun p => of_bool (existsb (Z.eqb p) ms)) x.

Fixpoint eval (w : world) (e : expr) : value :=
  match e with
  | Lit _ x => x
  | Src s => src_value s w
  | Add a b => add (eval w a) (eval w b)
  | Sub a b => sub (eval w a) (eval w b)
  | Mul a b => mul (eval w a) (eval w b)
  | Div a b => div (eval w a) (eval w b)
  | Neg a => option_map Z.opp (eval w a)
  | Floor a => floor (eval w a)
  | Widen a => eval w a
  | Least a b => least (eval w a) (eval w b)
  | Greatest a b => greatest (eval w a) (eval w b)
  | Cmp c a b => compare c (eval w a) (eval w b)
  | And a b => kand (eval w a) (eval w b)
  | Or a b => kor (eval w a) (eval w b)
  | Not a => not (eval w a)
  | IsNone a => is_none (eval w a)
  | Between a b => sub (eval w a) (eval w b)
  | Is t a => compare Eq (eval w a) (Some (of_bool t))
  | Among ms a => member ms (eval w a)
  | If c a b => if is (eval w c) scale then eval w a else eval w b
  end.

(** * Whole numbers, by the form of an expression *)
Definition divides (a b : Z) : bool := if a =? 0 then b =? 0 else b mod a =? 0.
Fixpoint is_whole (e : expr) : bool :=
  match e with
  | Lit (TDay | TText) _ | Lit _ None => false
  | Lit _ (Some z) => divides scale z
  | Widen a | Neg a => is_whole a
  | Add a b | Sub a b | Mul a b | Least a b | Greatest a b | If _ a b => is_whole a && is_whole b
  | _ => match type e with TInt => true | _ => false end
  end.
(** The smallest magnitude of a divisor that is not 0. *)
Definition step_of e := if is_whole e then scale else 1.
(** Whether a number is whole where it has to be, and not below the least element of a `sum`. *)
Fixpoint can_be (e : expr) (z : Z) : bool :=
  match e with
  | Widen a => can_be a z
  | Src s => negb ((0 <? z) && (z <? least_part s)) && (negb (is_whole e) || divides scale z)
  | _ => negb (is_whole e) || divides scale z
  end.

Definition combine (f : values -> values -> values) (g : moves -> moves -> moves) a b :=
  B (f (vals a) (vals b)) (f (on_no_data a) (on_no_data b)) (g (added a) (added b)) (g (passing a) (passing b)).
Definition map_b (f : values -> values) (g : moves -> moves) a :=
  B (f (vals a)) (f (on_no_data a)) (g (added a)) (g (passing a)).

(** Bits that the values rule out are removed. *)
Definition tidy (bool : bool) (v : values) (m : moves) : moves :=
  if negb (may_present v) then none_moves
  else if bool then
    if negb (may_none v) && (low v =? high v) then none_moves
    else M (rises m && negb (high v <? scale)) (falls m && negb (high v <? scale))
           (appears m && negb (0 <? low v)) (vanishes m && negb (0 <? low v))
  else M (rises m && negb (low v =? high v)) (falls m && negb (low v =? high v))
         (appears m && may_none v) (vanishes m && may_none v).
Definition tidied bool b := B (vals b) (on_no_data b) (tidy bool (vals b) (added b)) (tidy bool (vals b) (passing b)).

(** What never falls and is there from the start stays at or above its start. *)
Definition at_start (start bool : bool) b :=
  if start && negb bool && negb (may_none (on_no_data b)) && negb (falls (added b)) && negb (vanishes (added b))
  then B (V false (may_present (vals b)) (Z.max (low (vals b)) (low (on_no_data b))) (high (vals b)))
         (on_no_data b) (added b) (passing b)
  else b.
Definition finish start bool b := tidied bool (at_start start bool b).

(** [truth] is what the form of the sides says of the comparison where both are present. *)
Definition decide (truth : option bool) (v : values) :=
  match truth with Some t => V (may_none v) (may_present v) (of_bool t) (of_bool t) | None => v end.
Definition compare_b truth numbers c a b :=
  let known u v := decide truth (vcompare numbers c u v) in
  tidied true
    (combine known
      (fun m n => fixed_moves (known (vals a) (vals b)) (compare_moves c m n) m n) a b).
Definition never_meet a b (x y : values) :=
  let misses e v := may_present v && (low v =? high v) && negb (can_be e (low v)) in
  misses a y || misses b x.
(** How far a day lies before `day`, and whether it cannot lie after another one. *)
Definition days_back (e : expr) : option (option Z) := match e with Src s => reach s | _ => None end.
Definition not_after a b := match days_back a, days_back b with Some _, Some (Some 0) => true | _, _ => false end.
Definition by_order c ea eb (a b : values) : option bool :=
  let never := is_number ea && never_meet ea eb a b in
  let below ea eb a b := (is_number ea && (high a <=? low b)) || not_after ea eb in
  match c with
  | Gt => if below ea eb a b then Some false else None
  | Le => if below ea eb a b then Some true else None
  | Lt => if below eb ea b a then Some false else None
  | Ge => if below eb ea b a then Some true else None
  | Eq => if never then Some false else None
  | Ne => if never then Some true else None
  end.
(** A day or text that is written out. *)
Definition written e := match e with Lit (TDay | TText) x => x | _ => None end.
Definition literal_values t x :=
  match t, x with _, None => vnone | TDay, _ | TText, _ => range (- limit) limit | _, Some z => exactly z end.
Definition by_form c ea eb (a b : values) : option bool :=
  match written ea, written eb with Some p, Some q => Some (holds c p q) | _, _ => by_order c ea eb a b end.

(** An equality of sides of which one is never above the other is an order. *)
Definition ordered (numbers : bool) c (a b : values) :=
  match c with
  | Eq => if numbers && (high a <=? low b) then Ge else if numbers && (high b <=? low a) then Le else Eq
  | Ne => if numbers && (high a <=? low b) then Lt else if numbers && (high b <=? low a) then Gt else Ne
  | _ => c
  end.

Definition none_values (v : values) :=
  V false true (if may_present v then 0 else scale) (if may_none v then scale else 0).
Definition none_moves_of (bool : bool) m :=
  let gone := if bool then falls m || vanishes m else vanishes m in
  let come := if bool then rises m || appears m else appears m in
  M gone come come gone.
Definition is_none_b bool a := tidied true (map_b none_values (none_moves_of bool) a).

Definition certainty (v : values) : option bool :=
  if negb (may_present v) || (high v =? 0) then Some false
  else if negb (may_none v) && (low v =? scale) then Some true else None.
Definition choose (c a b : values) :=
  match certainty c with Some true => a | Some false => b | None => vunion a b end.
(** From a value of one branch to one of the other. *)
Definition crossing (bool number : bool) (x y : values) : moves :=
  if bool then
    let can v z := may_present v && (low v <=? z) && (z <=? high v) in
    let miss v z := may_none v || negb (may_present v) || negb (low v =? z) || negb (high v =? z) in
    M (miss x scale && can y scale) (can x scale && miss y scale) (miss x 0 && can y 0) (can x 0 && miss y 0)
  else
    let both := may_present x && may_present y in
    M (both && negb (number && (high y <=? low x))) (both && negb (number && (high x <=? low y)))
      (may_none x && may_present y) (may_present x && may_none y).
(** [up] are the moves of a crossing to the first branch, [down] to the second. *)
Definition scoped_if c a b (up down : axis -> moves) :=
  let m ax := union (union (moves_of ax a) (moves_of ax b))
    (union (when (rises (moves_of ax c)) (up ax)) (when (falls (moves_of ax c)) (down ax))) in
  B (choose (vals c) (vals a) (vals b)) (choose (on_no_data c) (on_no_data a) (on_no_data b)) (m Added) (m Passing).
Definition if_b bool number c a b :=
  match certainty (vals c) with
  | Some true => a
  | Some false => b
  | None => scoped_if c a b (fun _ => crossing bool number (vals b) (vals a))
              (fun _ => crossing bool number (vals a) (vals b))
  end.

(** Days have no bounds; their difference lies between what the two reach back. *)
Definition difference_of_days late early a b :=
  let d := combine (fun x y => vadd x (vneg y)) (fun m n => union m (mirrored n)) a b in
  let h := match days_back late, days_back early with Some _, Some (Some n) => scale * n | _, _ => limit end in
  let l := match days_back early, days_back late with Some _, Some (Some n) => scale * - n | _, _ => - limit end in
  B (V (may_none (vals d)) (may_present (vals d)) (if not_after early late then Z.max 0 l else l) h)
    (V (may_none (on_no_data d)) (may_present (on_no_data d)) (- limit) limit) (added d) (passing d).

(** `x in [...]`: never true where x can be none of the members, else any move may turn it. *)
Definition member_b (numbers : bool) (ms : list Z) (can : Z -> bool) a :=
  let within_reach z := (low (vals a) <=? z) && (z <=? high (vals a)) && can z in
  let possible := negb (numbers && may_present (vals a)) || existsb within_reach ms in
  map_b (fun v => V (may_none v) (may_present v) 0 (if possible then scale else 0))
    (fun m => if (if possible then is_empty m else negb (appears m || vanishes m)) then none_moves else all_moves) a.

(** An aggregate. That a Bool of a fact is none is seen of it as of a number: which one is read may change. *)
Definition leaf_source (l : leaf) : source :=
  let b := leaf_behaviour l in
  let there := B (vals b) (on_no_data b) (if of_setting l then none_moves else M true true true false) all_moves in
  Source (leaf_type l) (match fn l with Sum => from l | _ => 0 end)
    (match fn l with First | Last => Some (back l) | _ => None end) b
    (if leaf_is_bool l then is_none_b false (tidied false there)
     else is_none_b false (finish (negb (of_setting l)) false b))
    (negb (of_setting l)) (leaf_value l) (leaf_sane l).

(** A leaf that reads no facts or settings but by the day: a field of the subject, `day`. *)
Definition plain_source t reach b f loads :=
  Source t 0 reach b (is_none_b (type_is_bool t) (tidied (type_is_bool t) b)) true f loads.
(** Entities do not change when a fact is added: a field is constant, and perhaps none. *)
Definition field_source t v x := plain_source t None (constant v) (fun _ => x) (fun _ => within v x).
Definition day_row := B (range (- limit) limit) (range (- limit) limit) none_moves (M true false false false).
Definition day_value w : value := Some (scale * today w).
Definition day_source := plain_source TDay (Some (Some 0)) day_row day_value (fun w => fits (day_value w)).

Fixpoint leaves (e : expr) : list source :=
  match e with
  | Lit _ _ => []
  | Src s => [s]
  | Neg a | Floor a | Widen a | Not a | IsNone a | Is _ a | Among _ a => leaves a
  | Add a b | Sub a b | Mul a b | Div a b | Least a b | Greatest a b | Cmp _ a b | Between a b | And a b | Or a b =>
      leaves a ++ leaves b
  | If c a b => leaves c ++ leaves a ++ leaves b
  end.
Definition reads_no_settings e := forallb plain (leaves e).

(** The behaviour of an expression, and of `e is none`. *)
Fixpoint behaviours (e : expr) : behaviour * behaviour :=
  let out b :=
    let found := finish (reads_no_settings e) (is_bool e) b in (found, is_none_b (is_bool e) found) in
  let truths b none := (tidied true b, tidied true none) in
  let of a := fst (behaviours a) in
  let two f (g : values -> values -> moves -> moves -> moves) a b :=
    out (combine f (g (vals (of a)) (vals (of b))) (of a) (of b)) in
  match e with
  | Lit t x => out (constant (literal_values t x))
  | Src s => (finish (reads_no_settings e) (is_bool e) (row s), none_row s)
  | Add a b => two vadd (fun _ _ => union) a b
  | Sub a b => two (fun x y => vadd x (vneg y)) (fun _ _ m n => union m (mirrored n)) a b
  | Mul a b => two vmul product_moves a b
  | Div a b => two (fun x y => vdiv x y (step_of b)) quotient_moves a b
  | Neg a => out (map_b (fun y => vadd (exactly 0) (vneg y)) mirrored (of a))
  | Floor a => out (map_b vfloor (fun m => m) (of a))
  | Widen a => out (of a)
  | Between a b => out (difference_of_days a b (of a) (of b))
  | Least a b => two vleast (fun x y m n => chosen m n (high x <=? low y) (high y <=? low x)) a b
  | Greatest a b => two vgreatest (fun x y m n => chosen m n (high y <=? low x) (high x <=? low y)) a b
  | Cmp c a b =>
      let (x, y) := (vals (of a), vals (of b)) in
      truths (compare_b (by_form c a b x y) (is_number a) (ordered (is_number a) c x y) (of a) (of b))
        (combine vor union (snd (behaviours a)) (snd (behaviours b)))
  | And a b => two vand (fun _ _ => union) a b
  | Or a b => two vor (fun _ _ => union) a b
  | Not a => truths (map_b vnot of_negation (of a)) (snd (behaviours a))
  | Is t a => truths (if t then of a else map_b vnot of_negation (of a)) (snd (behaviours a))
  | Among ms a =>
      truths (match written a with Some z => constant (exactly (of_bool (existsb (Z.eqb z) ms)))
              | None => member_b (is_number a) ms (can_be a) (of a) end) (snd (behaviours a))
  | IsNone a => out (snd (behaviours a))
  | If c a b =>
      (finish (reads_no_settings e) (is_bool e) (if_b (is_bool e) (is_number e) (of c) (of a) (of b)),
       tidied true (if_b true false (of c) (snd (behaviours a)) (snd (behaviours b))))
  end.
Definition behaviour_of e := fst (behaviours e).

(** * Soundness *)

Definition of_type t (x : value) : Prop :=
  match t with
  | TBool => bool_value x
  | TInt | TDay => match x with Some z => divides scale z = true | None => True end
  | _ => True
  end.
(** An expression on a dataset that evaluates: every number in it fits, also of a branch that is not taken. *)
Fixpoint sane (w : world) (e : expr) : Prop :=
  fits (eval w e) /\
  match e with
  | Lit t x => of_type t x
  | Src s => loads s w /\ of_type (src_type s) (src_value s w)
  | Add a b | Sub a b | Mul a b | Div a b | Least a b | Greatest a b | Cmp _ a b | Between a b | And a b | Or a b =>
      sane w a /\ sane w b
  | Neg a | Floor a | Widen a | Not a | IsNone a | Is _ a | Among _ a => sane w a
  | If c a b => sane w c /\ sane w a /\ sane w b
  end.

(** What a behaviour promises of a value that depends on dataset and day, on the datasets that are [good]. *)
Definition sound (bool : bool) (b : behaviour) (good : world -> Prop) (f : world -> value) : Prop :=
  (forall w, good w -> within (vals b) (f w))
  /\ (forall w, good w -> no_data w -> within (on_no_data b) (f w))
  /\ (forall ax w w', step ax w w' -> good w -> good w' -> ok bool (moves_of ax b) (f w) (f w')).
Definition no_settings (f : world -> value) := forall fs s s' r, f (World fs s r) = f (World fs s' r).
Definition reaches (back : option (option Z)) (day z : Z) : Prop :=
  match back with
  | None => True
  | Some b => z <= scale * day /\ match b with Some n => scale * (day - n) <= z | None => True end
  end.
Definition proved (s : source) : Prop :=
  sound (type_is_bool (src_type s)) (row s) (loads s) (src_value s)
  /\ sound true (none_row s) (loads s) (fun w => is_none (src_value s w))
  /\ (plain s = true -> no_settings (src_value s))
  /\ (forall w z, loads s w -> src_value s w = Some z ->
       (0 < z -> least_part s <= z) /\ reaches (reach s) (today w) z).

(** The types that the resolver has checked; leaves whose rows are theorems. *)
Fixpoint typed (e : expr) : Prop :=
  match e with
  | Lit _ _ => True
  | Src s => proved s
  | Add a b | Sub a b | Mul a b | Least a b | Greatest a b | Div a b =>
      typed a /\ typed b /\ is_number a = true /\ is_number b = true
  | Cmp _ a b => typed a /\ typed b /\ is_bool a = false /\ is_bool b = false
  | Between a b => typed a /\ typed b /\ type a = TDay /\ type b = TDay
  | Neg a | Floor a | Widen a => typed a /\ is_number a = true
  | Among _ a => typed a /\ is_bool a = false
  | And a b | Or a b => typed a /\ typed b /\ is_bool a = true /\ is_bool b = true
  | Not a | Is _ a => typed a /\ is_bool a = true
  | IsNone a => typed a
  | If c a b => typed c /\ typed a /\ typed b /\ is_bool c = true /\ type a = type b
  end.

(** A dataset that evaluates, and so do its settings alone and no data. *)
Definition Sane (w : world) (e : expr) : Prop :=
  sane w e /\ sane (World [] (settings w) (today w)) e /\ sane (World [] [] (today w)) e.
