import { labelOf } from '../../../ui/schema/schema-words.ts'
import { type Language, useLanguage, useWords } from '../../../words.ts'
import { useSources } from '../editor/editing.ts'
import { canvasWords } from '../graph/canvas-words.ts'

/** A value as it is shown beside a binding: short, and of one line. */
export const shownValue = (value: unknown): string =>
  value === undefined ? '' : (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 80)

/** A binding in words: “Total · What started it”. */
export function useBindingName(blockId: string) {
  const say = useWords(canvasWords)
  const lang = useLanguage()
  const { sources } = useSources(blockId)
  return (path: string) => {
    const source = sources.find(({ of }) => of.some((each) => each.path === path))
    const known = source?.of.find((each) => each.path === path)
    if (!source || !known) return path
    return `${fieldName(lang, known.label, say.contexts)} · ${source.label}`
  }
}

export const fieldName = (lang: Language, path: string, contexts: Record<string, string>) =>
  contexts[path] ??
  path
    .split('.')
    .map((part) => labelOf(lang, part))
    .join(' › ')
