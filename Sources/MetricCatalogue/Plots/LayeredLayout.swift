/// Places for the nodes of a graph whose edges all go from left to right.
///
/// The layered method of Sugiyama, Tagawa and Toda ("Methods for Visual Understanding of Hierarchical
/// System Structures", 1981) in its simplest form: a node stands one layer after the last that leads
/// to it, long edges are cut into pieces, the order within a layer follows the mean place of the
/// neighbours, and so do the heights. The same graph gives the same places.
struct LayeredLayout {
  struct Box {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    /// Whether it is only the place where a long edge passes a layer.
    var isPassage: Bool
  }

  /// The boxes of the nodes given, then those of passages.
  private(set) var boxes: [Box] = []
  /// For each edge given, the boxes that it goes through, from left to right.
  private(set) var routes: [[Int]] = []
  private(set) var width = 0.0
  private(set) var height = 0.0

  /// By layer, from top to bottom.
  private var layers: [[Int]] = []
  /// The neighbours of each box in the layer before it, and after it.
  private var left: [Int: [Int]] = [:]
  private var right: [Int: [Int]] = [:]

  private static let gap = 12.0
  private static let layerGap = 56.0

  /// Lays out nodes by their sizes; in the edges a node comes after all that lead to it.
  init(sizes: [(width: Double, height: Double)], edges: [(from: Int, to: Int)]) {
    boxes = sizes.map { Box(x: 0, y: 0, width: $0.width, height: $0.height, isPassage: false) }
    var layer = Array(repeating: 0, count: sizes.count)
    for edge in edges.sorted(by: { $0.to < $1.to }) {
      layer[edge.to] = max(layer[edge.to], layer[edge.from] + 1)
    }
    layers = Array(repeating: [], count: (layer.max() ?? 0) + 1)
    for node in sizes.indices { layers[layer[node]].append(node) }
    for edge in edges { addRoute(edge, layer) }
    for pass in 0..<8 { order(rightwards: pass % 2 == 0) }
    placeColumns()
    for pass in 0..<8 { placeRows(rightwards: pass % 2 == 0) }
    let top = boxes.map(\.y).min() ?? 0
    for index in boxes.indices { boxes[index].y -= top }
    height = boxes.map { $0.y + $0.height }.max() ?? 0
  }

  /// An edge over several layers passes through a box of its own in each between.
  private mutating func addRoute(_ edge: (from: Int, to: Int), _ layer: [Int]) {
    var route = [edge.from]
    for between in layer[edge.from] + 1..<max(layer[edge.to], layer[edge.from] + 1) {
      boxes.append(Box(x: 0, y: 0, width: 0, height: 4, isPassage: true))
      layers[between].append(boxes.count - 1)
      route.append(boxes.count - 1)
    }
    route.append(edge.to)
    for (from, to) in zip(route, route.dropFirst()) {
      right[from, default: []].append(to)
      left[to, default: []].append(from)
    }
    routes.append(route)
  }

  /// Sorts each layer by the mean place of the neighbours in the layer before it.
  private mutating func order(rightwards: Bool) {
    var place = Array(repeating: 0.0, count: boxes.count)
    for layer in layers { for (index, box) in layer.enumerated() { place[box] = Double(index) } }
    for index in rightwards ? Array(layers.indices) : layers.indices.reversed() {
      let mean = layers[index].map { box -> Double in
        guard let neighbours = (rightwards ? left : right)[box] else { return place[box] }
        return neighbours.reduce(0) { $0 + place[$1] } / Double(neighbours.count)
      }
      layers[index] = zip(layers[index], mean).sorted { $0.1 < $1.1 }.map(\.0)
      for (row, box) in layers[index].enumerated() { place[box] = Double(row) }
    }
  }

  private mutating func placeColumns() {
    var x = 0.0
    for layer in layers {
      let widest = layer.map { boxes[$0].width }.max() ?? 0
      var y = 0.0
      for box in layer {
        boxes[box].x = x
        if boxes[box].isPassage { boxes[box].width = widest }
        boxes[box].y = y
        y += boxes[box].height + LayeredLayout.gap
      }
      x += widest + LayeredLayout.layerGap
    }
    width = x - LayeredLayout.layerGap
  }

  /// Moves each box towards the mean height of its neighbours, without changing the order.
  private mutating func placeRows(rightwards: Bool) {
    for layer in rightwards ? layers : layers.reversed() {
      let wanted = layer.map { box -> Double in
        guard let neighbours = (rightwards ? left : right)[box] else { return boxes[box].y }
        let middle = neighbours.reduce(0) { $0 + boxes[$1].y + boxes[$1].height / 2 }
        return middle / Double(neighbours.count) - boxes[box].height / 2
      }
      var end = -Double.infinity
      var pushed = 0.0
      for (box, y) in zip(layer, wanted) {
        boxes[box].y = max(y, end)
        pushed += boxes[box].y - y
        end = boxes[box].y + boxes[box].height + LayeredLayout.gap
      }
      // Boxes that had to give way moved down; half of that is undone, so that the layer stays centred.
      let shift = layer.isEmpty ? 0 : pushed / Double(layer.count) / 2
      for box in layer { boxes[box].y -= shift }
    }
  }
}
