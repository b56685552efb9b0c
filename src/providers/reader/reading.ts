import type { Box, UnreadReason } from '../../core/outside/receipt-reader.ts'

export type {
  Box,
  Check,
  Field,
  FieldName,
  Fields,
  Hints,
  ReadItem,
  Reading,
  Values,
} from '../../core/outside/receipt-reader.ts'

/** Consecutive characters as a person would read them (Hebrew in logical order), with how sure the engine is (0–1). */
export type Word = { text: string; box: Box; confidence: number }

/** The words of one printed line, in reading order; `text` is the words joined with spaces. */
export type Line = Word & { words: readonly Word[]; direction: 'ltr' | 'rtl' }

/**
 * One page, upright, its lines from top to bottom. `width` and `height` are in pixels and give the aspect. `turned` is how many
 * degrees clockwise the picture had to be turned beyond what its EXIF data says, if it had to.
 */
export type Page = { number: number; width: number; height: number; lines: readonly Line[]; turned?: 90 | 180 | 270 }

/** Why a file cannot be read, for the person who sent it. */
export class Unreadable extends Error {
  readonly reason: UnreadReason
  constructor(reason: UnreadReason, message: string) {
    super(message)
    this.reason = reason
  }
}
