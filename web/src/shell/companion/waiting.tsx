import { useWrite } from '../../api.ts'
import { problemText } from '../../refusals.ts'
import { Button } from '../../ui/button.tsx'
import { type Language, useLanguage, useWords } from '../../words.ts'
import { Block } from './markdown.tsx'
import type { Step } from './talk.ts'
import { companionWords } from './words.ts'

type Words = Record<Language, string>
/** What the server says will happen after a yes. */
type Preview = {
  tool: string
  input: Record<string, unknown>
  title: Words
  lines: { label: Words; value: string; valueHe?: string }[]
  mail?: { to: string[]; subject: string; text: string; attachments: string[] }
  warnings: string[]
}

/** What waits for a yes: exactly that call, with the names of what it touches. */
export function Waiting({ step }: { step: Step }) {
  const say = useWords(companionWords)
  const lang = useLanguage()
  const confirm = useWrite('companion_write_confirm', ['companion'])
  const { title, lines = [], mail, warnings = [], tool, input } = step.output as Preview
  const answer = (word: 'YES' | 'NO') => confirm.mutate({ id: step.turnRunId, answer: word })
  return (
    <section aria-label={say.waiting} className="border border-rule rounded-lg bg-card p-3 grid gap-3">
      <header>
        <p className="text-xs text-warn">{say.waiting}</p>
        <p className="font-medium" dir="auto">
          {title[lang]}
        </p>
      </header>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        {lines.map(({ label, value, valueHe }, at) => (
          <div key={at} className="contents">
            <dt className="text-soft">{label[lang]}</dt>
            <dd className="wrap-anywhere">
              <bdi>{lang === 'he' ? (valueHe ?? value) : value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {mail && (
        <div className="border-t border-rule pt-2 grid gap-1">
          <p>
            <span className="text-soft">{say.to}</span> <bdi>{mail.to.join(', ')}</bdi>
          </p>
          <p>
            <span className="text-soft">{say.subject}</span> <bdi>{mail.subject}</bdi>
          </p>
          <p className="whitespace-pre-wrap wrap-anywhere text-sm" dir="auto">
            {mail.text}
          </p>
          {mail.attachments.length > 0 && (
            <p>
              <span className="text-soft">{say.attached}</span> <bdi>{mail.attachments.join(', ')}</bdi>
            </p>
          )}
        </div>
      )}
      {warnings.map((warning) => (
        <p key={warning} className="text-warn bg-warn-wash rounded-md px-3 py-2" dir="auto">
          {warning}
        </p>
      ))}
      <details>
        <summary className="text-soft text-sm cursor-pointer">
          {say.call} <bdi className="font-mono">{tool}</bdi>
        </summary>
        <Block>{JSON.stringify(input, null, 2)}</Block>
      </details>
      {confirm.error && (
        <p role="alert" className="text-danger">
          {problemText(lang, confirm.error)}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onPress={() => answer('NO')} isDisabled={confirm.isPending}>
          {say.no}
        </Button>
        <Button look="primary" busy={confirm.isPending} onPress={() => answer('YES')}>
          {say.yes}
        </Button>
      </div>
    </section>
  )
}
