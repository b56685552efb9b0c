import { Card } from '../../ui/card.tsx'
import { locales, useLanguage, useWords } from '../../words.ts'
import { reportWords } from './words.ts'

/** In place of a report whose sums are computed for the first time; it is asked for again until they are there. */
export function Preparing({ percent }: { percent: number }) {
  const say = useWords(reportWords)
  const lang = useLanguage()
  const text = say.preparing(new Intl.NumberFormat(locales[lang], { style: 'percent' }).format(percent / 100))
  return (
    <Card>
      <div className="grid gap-3 p-4" role="status">
        <p>{text}</p>
        <progress className="w-full accent-accent" max={100} value={percent} aria-label={text} />
      </div>
    </Card>
  )
}
