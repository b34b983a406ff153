/// The Firebase export that BigQuery writes: an event per row, whose parameters are keys and values.
///
/// A mapping says which records it makes; this is the one for the app in `Definitions/KnowledgeApp`.
enum Firebase {
  static func mapping() throws(ImportFailure) -> Mapping {
    let bytes = Array(text.utf8)
    return try bytes.withUnsafeBytes { bytes in
      Result { () throws(ImportFailure) in try Mapping(ExportFile(name: "the mapping", bytes: bytes)) }
    }.get()
  }

  /// Events that Firebase logs by itself, or makes of others (`session_start` and `screen_view` are the app's), and
  /// those that become records of their own.
  private static let others = """
    ad_activeview ad_click ad_exposure ad_impression ad_query ad_reward adunit_exposure app_background app_clear_data \
    app_exception app_remove app_store_refund app_store_subscription_cancel app_store_subscription_convert \
    app_store_subscription_renew app_update app_upgrade dynamic_link_app_open dynamic_link_app_update \
    dynamic_link_first_open error firebase_campaign firebase_in_app_message_action firebase_in_app_message_dismiss \
    firebase_in_app_message_impression first_open first_visit in_app_purchase notification_dismiss \
    notification_foreground notification_open notification_receive notification_send os_update user_engagement \
    network_request performance_operation
    """.split(separator: " ")

  private static var text: String {
    let user = #"{"column": "user_pseudo_id"}"#
    // Without consent an event has no id of its user.
    let hasUser = #"{"column": "user_pseudo_id", "notIn": [""]}"#
    let ownEvents = #"{"column": "event_name", "notIn": ["\#(others.joined(separator: "\", \""))"]}"#
    func event(_ name: String) -> String { #"{"column": "event_name", "in": ["\#(name)"]}"# }
    func has(_ parameter: String) -> String { #"{"column": "event_params.\#(parameter)", "notIn": [""]}"# }
    // Durations and amounts are doubles; six digits after the point are kept.
    let decimals = ["duration", "response_time", "memory_usage", "cpu_usage"]
    func parameters(_ fields: [(String, String)]) -> String {
      fields.map { field, parameter in
        let scale = decimals.contains(parameter) ? #", "scale": 1"# : ""
        return #""\#(field)": {"column": "event_params.\#(parameter)"\#(scale)}"#
      }.joined(separator: ", ")
    }
    let time = #""unit": "microseconds", "offsetColumn": "device.time_zone_offset_seconds""#
    func record(_ name: String, _ conditions: String, _ fields: String...) -> String {
      """
      {"record": "\(name)", "where": [\(hasUser), \(conditions)], "fields": {
        "id": {"join": ["user_pseudo_id", "event_timestamp", "event_name"], "numbered": true}, "userId": \(user),
        "dayKey": {"dayOf": "event_timestamp", \(time), "dateColumn": "event_date"},
        "timestampUtc": {"instantOf": "event_timestamp", "unit": "microseconds"}, \(fields.joined(separator: ", "))}}
      """
    }
    let version = #""appVersion": {"column": "app_info.version"}"#
    let device = """
      "deviceType": {"column": "device.category", "values": {"mobile": "phone", "tablet": "tablet", "desktop": "",
      "smart tv": ""}}
      """
    let ofEvent = [
      ("screen", "screen_name"), ("itemId", "item_id"), ("source", "source"), ("status", "status"),
      ("duration", "duration"), ("resultsFound", "search_result_count"), ("authMethod", "auth_method"),
      ("errorCode", "error_code"), ("errorMessage", "error_message"), ("searchQuery", "search_query"),
      ("connectionType", "connection_type"),
    ]
    // The ids that a refreshed timeline sends are a list, and no id of an item.
    let refreshed = #"{"column": "event_name", "in": ["timeline_refreshed"]}"#
    let others = #"{"column": "event_name", "notIn": ["timeline_refreshed"]}"#
    let name = #""name": {"column": "event_name"}"#
    let ofUser = """
      "userType": {"column": "user_properties.user_type"},
      "subscriptionStatus": {"column": "user_properties.subscription_status"}
      """
    func knowledgeEvent(_ condition: String, _ fields: [(String, String)]) -> String {
      record(
        "KnowledgeEvent", "\(ownEvents), \(condition)", name, version, device, ofUser, parameters(fields))
    }
    let ofRequest = parameters([
      ("endpoint", "endpoint"), ("method", "method"), ("responseTime", "response_time"), ("status", "status"),
      ("errorCode", "error_code"), ("connectionType", "connection_type"),
    ])
    let ofOperation = parameters([
      ("operationName", "operation_name"), ("duration", "duration"), ("status", "status"),
      ("memoryUsage", "memory_usage"), ("cpuUsage", "cpu_usage"),
    ])
    // Outside of its debug mode the app reports only slow ones, both kinds under one name.
    let slow = event("performance_slow_operation")
    return """
      {"records": [
        {"record": "User", "where": \(hasUser), "once": "id", "fields": {"id": \(user)}},
        {"record": "KnowledgeItem", "where": [\(hasUser), \(others), \(has("item_id"))],
         "once": "id", "fields": {"id": {"column": "event_params.item_id"}, "userId": \(user),
          "itemType": {"column": "event_params.item_type"}}},
        \(knowledgeEvent(others, ofEvent)),
        \(knowledgeEvent(refreshed, ofEvent.filter { $0.0 != "itemId" })),
        \(record("KnowledgeRequest", event("network_request"), version, ofRequest)),
        \(record("KnowledgeRequest", "\(slow), \(has("endpoint"))", version, ofRequest)),
        \(record("KnowledgeOperation", event("performance_operation"), device, ofOperation)),
        \(record("KnowledgeOperation", "\(slow), \(has("operation_name"))", device, ofOperation))
      ]}
      """
  }
}
