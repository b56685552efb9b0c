/** The publisher of exchange rates: the European Central Bank, or a mirror that serves the same files. */
export type RateSource = {
  /** The last day, the last ninety days, or all since 1999. Throws a Failure if the response has no rates. */
  published(span: Span, until: string, signal: AbortSignal): Promise<PublishedDay[]>
}

export type Span = 'day' | 'quarter' | 'all'

/** The rates of one euro on a day: a decimal text for each known currency. */
export type PublishedDay = { date: string; rates: Map<string, string> }
