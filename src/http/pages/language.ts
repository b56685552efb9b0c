import type { Language } from '../../core/values/language.ts'

/** The language of a page: the one named in the query, else the supported one that the browser prefers, else English. */
export function languageOf(requested: unknown, acceptLanguage = ''): Language {
  if (requested === 'en' || requested === 'he') return requested
  const preferred = acceptLanguage
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.trim().toLowerCase().split(';')
      const quality = Number(
        parameters
          .find((parameter) => parameter.trim().startsWith('q='))
          ?.trim()
          .slice(2) ?? 1,
      )
      return { language: tag.split('-')[0], quality: Number.isNaN(quality) ? 0 : quality }
    })
    // Old browsers call Hebrew `iw`.
    .filter(({ language, quality }) => (language === 'en' || language === 'he' || language === 'iw') && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)[0]
  return preferred && preferred.language !== 'en' ? 'he' : 'en'
}
