const topics = new WeakMap<object, string>()

/**
 * The result of an operation with `streams`, and the topic that PostgreSQL notifies when there is more of it
 * (db/notifications.ts). The topic is no part of the answer.
 */
export function withTopic<R extends object>(result: R, topic: string): R {
  topics.set(result, topic)
  return result
}

export const topicOf = (result: object): string | undefined => topics.get(result)
