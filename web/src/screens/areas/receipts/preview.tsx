import { useState } from 'react'
import { call, type Name } from '../../../api.ts'
import { problemText } from '../../../refusals.ts'
import { useOrganization } from '../../../session.ts'
import { Alert } from '../../../ui/alert.tsx'
import { AllValues } from '../../../ui/values/all-values.tsx'
import type { Row } from '../../../ui/values/values.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { answerWords } from '../acts/answer-words.ts'

/** The operation that tells what another one would do. */
export const previewOf: Partial<Record<Name, Name>> = {
  orders_send: 'orders_send_preview',
  payroll_payslips_send: 'payroll_payslips_send_preview',
  organizations_import_create: 'organizations_import_preview',
}

/** What an act would do with the values of its form, once somebody asks. */
export function usePreview(name: Name, input: Row) {
  const lang = useLanguage()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const [answer, setAnswer] = useState<Row>()
  async function show() {
    const preview = previewOf[name]
    if (!preview) return
    setBusy(true)
    setProblem('')
    try {
      setAnswer((await call(preview, input as never)) as unknown as Row)
    } catch (error) {
      setAnswer(undefined)
      setProblem(problemText(lang, error as Error))
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, answer, show, word: useWords(answerWords).preview }
}

export function Preview({ of: { problem, answer } }: { of: ReturnType<typeof usePreview> }) {
  const say = useWords(answerWords)
  const { currency } = useOrganization()
  if (problem) return <Alert>{problem}</Alert>
  if (!answer) return null
  return (
    <section aria-label={say.preview} className="rounded-md border border-rule bg-tint p-3">
      <AllValues of={answer} currency={currency} />
    </section>
  )
}
