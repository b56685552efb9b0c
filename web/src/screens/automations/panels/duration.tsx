import { shownNumber } from '../../../shown.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { runWords } from '../runs/run-words.ts'

/** 80 ms, 2.4 s. */
export function Duration({ ms }: { ms: number | null | undefined }) {
  const say = useWords(runWords)
  const lang = useLanguage()
  if (ms === null || ms === undefined) return <span className="text-soft">–</span>
  return (
    <span className="tabular-nums whitespace-nowrap">
      {ms < 1000 ? say.ms(shownNumber(lang, ms)) : say.seconds(shownNumber(lang, Math.round(ms / 100) / 10))}
    </span>
  )
}
