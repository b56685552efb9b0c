/** The European Central Bank, or a mirror that serves the same files. */
export type RateSource = {
  /** The last day, the last ninety days, or all since 1999. Throws a Failure if the response has no rates. */
  published(span: Span, until: string, signal: AbortSignal): Promise<PublishedDay[]>
}

export type Span = 'day' | 'quarter' | 'all'

/** The Bank of Israel, whose representative rates Israeli tax documents use. */
export type BoiSource = {
  /** The last publication and, if a day is given, all days from it on. Throws a Failure if the response has no rates. */
  published(since: string | undefined, until: string, signal: AbortSignal): Promise<PublishedDay[]>
}

/** The Monetary Authority of Singapore. */
export type MasSource = {
  /** The rates of a day; undefined if it has none, or preliminary ones, which may still change. */
  publishedOn(day: string, signal: AbortSignal): Promise<PublishedDay | undefined>
}

/**
 * The rates of a day: a decimal text for each known currency. The European Central Bank says what one euro is worth, the
 * other two what one unit of the currency costs in shekels or Singapore dollars.
 */
export type PublishedDay = { date: string; rates: Map<string, string> }
