import type { Named, RecordKind, Then } from '../../../features/work/companion/assistant/understood.ts'

/** A sentence, the tool that it must reach, and its input (see `summary`); or `missing customer`, `cannot api-keys`, `no`. */
export type Sentence = readonly [text: string, tool: string, input?: Record<string, unknown>, then?: Then]

/** Arguments, because the compiler compares each element of a list with all the others. */
export const sentences = (...all: Sentence[]): readonly Sentence[] => all

/** A sentence after others in a session, or after an answer that showed records. */
export type FollowUp = {
  before?: readonly string[]
  /** The kinds of the records that were shown, the first one first; their ids are made of the kind and the place. */
  shown?: readonly RecordKind[]
  sentence: Sentence
}

export const named = (kind: RecordKind, words = '', more: Omit<Named, '$named' | 'words'> = {}): Named => ({
  $named: kind,
  words,
  ...more,
})

export const organization = named('organization')

export const shownId = (kind: string, place: number): string => `${kind}-${place + 1}`
