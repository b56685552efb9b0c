/** The languages of pages, mail, notifications and printed documents. */
export const languages = ['en', 'he'] as const

export type Language = (typeof languages)[number]
