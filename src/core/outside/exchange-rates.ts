/** Who publishes exchange rates: the European Central Bank, or a mirror that serves the same files. */
export type RateSource = {
  /** The last day, the last ninety days, or all since 1999. Throws a Failure for what is no document of rates. */
  published(span: Span, until: string, signal: AbortSignal): Promise<PublishedDay[]>
}

export type Span = 'day' | 'quarter' | 'all'

/** What one euro was worth on a day: a decimal text for each currency that we know. */
export type PublishedDay = { date: string; rates: Map<string, string> }
