/// The Firebase export that BigQuery writes: an event a row, whose parameters are keys and values.
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
    func parameters(_ fields: [(String, String)]) -> String {
      fields.map { #""\#($0)": {"column": "event_params.\#($1)"}"# }.joined(separator: ", ")
    }
    let time = #""unit": "microseconds", "offsetColumn": "device.time_zone_offset_seconds""#
    let common = """
      "id": {"join": ["user_pseudo_id", "event_timestamp", "event_name"], "numbered": true}, "userId": \(user),
      "dayKey": {"dayOf": "event_timestamp", \(time), "dateColumn": "event_date"},
      "timestampUtc": {"instantOf": "event_timestamp", "unit": "microseconds"},
      """
    let version = #""appVersion": {"column": "app_info.version"}"#
    let device = """
      "deviceType": {"column": "device.category", "values": {"mobile": "phone", "tablet": "tablet", "desktop": "",
      "smart tv": ""}}
      """
    return """
      {"records": [
        {"record": "User", "where": \(hasUser), "once": "id", "fields": {"id": \(user)}},
        {"record": "KnowledgeEvent", "where": [\(hasUser), \(ownEvents)], "fields": {\(common)
          "name": {"column": "event_name"}, \(version), \(device),
          "userType": {"column": "user_properties.user_type"},
          "subscriptionStatus": {"column": "user_properties.subscription_status"},
          \(parameters([
            ("screen", "screen_name"), ("itemId", "item_id"), ("source", "source"), ("status", "status"),
            ("duration", "duration"), ("resultsFound", "search_result_count"), ("authMethod", "auth_method"),
            ("errorCode", "error_code"), ("errorMessage", "error_message"), ("searchQuery", "search_query"),
            ("connectionType", "connection_type"),
          ]))}},
        {"record": "KnowledgeRequest", "where": [\(hasUser), \(event("network_request"))], "fields": {\(common)
          \(version), \(parameters([
            ("endpoint", "endpoint"), ("method", "method"), ("responseTime", "response_time"), ("status", "status"),
            ("errorCode", "error_code"), ("connectionType", "connection_type"),
          ]))}},
        {"record": "KnowledgeOperation", "where": [\(hasUser), \(event("performance_operation"))],
         "fields": {\(common)
          \(device), \(parameters([
            ("operationName", "operation_name"), ("duration", "duration"), ("status", "status"),
            ("memoryUsage", "memory_usage"), ("cpuUsage", "cpu_usage"),
          ]))}}
      ]}
      """
  }
}
