import { toLine } from './line.ts'

/**
 * A name that people chose, for mail from Kontor itself: at most 60 characters, and nothing that a mail program shows as a
 * link (THR-18). Otherwise anybody could send their own text and address under our name. `otherwise` replaces a name of
 * which nothing is left.
 */
export const mailName = (text: string, otherwise: string): string =>
  toLine(withoutLinks(text), charactersMax) || otherwise

const charactersMax = 60

/** The text as one line, without addresses of web pages, and with a space in what looks like a domain or a mail address. */
export const withoutLinks = (text: string): string =>
  toLine(text, 1_000)
    .replace(/[\p{L}\p{N}+.-]+:[/\\]{2}\S*/gu, ' ')
    .replace(/[/\\]{2,}/g, ' ')
    .replace(/(?<=[\p{L}\p{M}\p{N}_-])([.．。｡․])(?=[\p{L}\p{N}_-])/gu, '$1 ')
    .replace(/\s*@\s*/g, ' @ ')
    .replace(/\s+/g, ' ')
    .trim()
