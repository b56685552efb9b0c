import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { read, useWrite } from '../../api.ts'
import { problemText } from '../../refusals.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/forms/field.tsx'
import { useTyped } from '../../ui/forms/typed.ts'
import { Menu } from '../../ui/overlays/menu.tsx'
import { Panel } from '../../ui/overlays/panel.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { Markdown } from './markdown.tsx'
import { useOpenThing } from './open-thing.ts'
import { StepList } from './steps.tsx'
import { type Step, type Talk, useTalk } from './talk.ts'
import { TalkActs } from './talk-acts.tsx'
import { Unfinished } from './unfinished.tsx'
import { Waiting } from './waiting.tsx'
import { companionWords } from './words.ts'

type CompanionProps = {
  org: string
  talkId: string | undefined
  onTalk: (id: string | undefined) => void
  onClose: () => void
}

/** The talk with the assistant, beside whatever page is open. */
export function Companion({ org, talkId, onTalk, onClose }: CompanionProps) {
  const say = useWords(companionWords)
  const { data: earlier } = useQuery(read('companion_read_sessions', { organizationId: org }))
  const { talk, saying, error, again } = useTalk(talkId)
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => void end.current?.scrollIntoView({ block: 'end' }), [talk, saying])
  return (
    <Panel
      label={say.title}
      title={<span className="font-medium">{talk?.title || say.title}</span>}
      onClose={onClose}
      tools={
        <>
          {(earlier?.sessions.length ?? 0) > 0 && (
            <Menu
              trigger={<Button look="quiet" icon="history" label={say.earlier} />}
              entries={(earlier?.sessions ?? []).slice(0, 12).map(({ id, title }) => ({
                label: <bdi className="block max-w-64 truncate">{title}</bdi>,
                text: title,
                checked: id === talkId,
                on: () => onTalk(id),
              }))}
            />
          )}
          {talk && <TalkActs key={talk.id} talk={talk} onGone={() => onTalk(undefined)} />}
          <Button look="quiet" icon="plus" label={say.fresh} onPress={() => onTalk(undefined)} />
        </>
      }
    >
      {error && talkId && !talk ? <Problem error={error} onAgain={again} /> : null}
      {!talkId && (
        <div className="grid gap-1 py-6 text-center">
          <p className="title-text">{say.hello}</p>
          <p className="text-soft">{say.hint}</p>
        </div>
      )}
      {talk && <Turns talk={talk} saying={saying} />}
      {talk && !talk.activeTurnRunId && <Unfinished talk={talk} />}
      <Composer org={org} talk={talk} onBegin={onTalk} />
      <div ref={end} />
    </Panel>
  )
}

function Turns({ talk, saying }: { talk: Talk; saying: { turn: string; text: string } | undefined }) {
  const say = useWords(companionWords)
  const active = talk.activeTurnRunId
  const spoken = talk.messages.some(({ role, turnRunId, text }) => role === 'assistant' && turnRunId === active && text)
  const stepsOf = (turn: string | null) => talk.steps.filter(({ turnRunId, ref }) => turnRunId === turn && ref)
  return (
    <div role="log" aria-label={say.title}>
      <ol className="grid gap-4">
        {talk.messages.map(({ id, role, text, turnRunId }) =>
          role === 'user' ? (
            <li key={id} className="justify-self-end max-w-[85%] rounded-lg bg-wash px-3 py-2">
              <span className="sr-only">{say.you}</span>
              <bdi className="block whitespace-pre-wrap wrap-anywhere">{text}</bdi>
            </li>
          ) : (
            text && (
              <li key={id} className="grid gap-2 min-w-0">
                <Steps steps={stepsOf(turnRunId)} />
                <Markdown text={text} />
              </li>
            )
          ),
        )}
        {active && !spoken && (
          <li className="grid gap-2 min-w-0">
            <Steps steps={stepsOf(active)} />
            {saying?.turn === active ? <Markdown text={saying.text} /> : <p className="text-soft">{say.working}</p>}
          </li>
        )}
        {talk.steps
          .filter(({ status, output }) => status === 'PENDING' && output)
          .map((step) => (
            <li key={step.id}>
              <Waiting step={step} />
            </li>
          ))}
      </ol>
    </div>
  )
}

/** What was read and changed, folded: each call with what was given and answered. */
function Steps({ steps }: { steps: readonly Step[] }) {
  const say = useWords(companionWords)
  if (steps.length === 0) return null
  return (
    <details className="text-sm">
      <summary className="text-soft cursor-pointer">{say.steps(steps.length)}</summary>
      <StepList steps={steps} />
    </details>
  )
}

function Composer({ org, talk, onBegin }: { org: string; talk: Talk | undefined; onBegin: (id: string) => void }) {
  const say = useWords(companionWords)
  const lang = useLanguage()
  const [text, setText] = useTyped('companion', '')
  const begin = useWrite('companion_write_sessions', ['companion'])
  const goOn = useWrite('companion_write_messages', ['companion'])
  const cancel = useWrite('companion_write_cancel_turn', ['companion'])
  const busy = begin.isPending || goOn.isPending
  const problem = begin.error ?? goOn.error
  async function tell() {
    if (!text.trim() || busy) return
    const sessionId = talk?.id ?? crypto.randomUUID()
    try {
      if (talk) await goOn.mutateAsync({ id: talk.id, text })
      else await begin.mutateAsync({ organizationId: org, sessionId, text })
      setText('')
      onBegin(sessionId)
    } catch {
      // it is told below, and the text stays
    }
  }
  const turn = talk?.activeTurnRunId
  const thing = useOpenThing()
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void tell()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
        if (!(event.target instanceof HTMLTextAreaElement)) return
        event.preventDefault()
        void tell()
      }}
    >
      <TextArea aria-label={say.field} rows={2} autoFocus value={text} onText={setText} />
      {problem && (
        <p role="alert" className="text-danger">
          {problemText(lang, problem)}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {thing && !text.includes(thing) && (
          <span className="flex-1 min-w-0">
            <Button icon="plus" onPress={() => setText(`${text.trimEnd()} ${thing} `.trimStart())}>
              <bdi className="truncate">{say.about(thing)}</bdi>
            </Button>
          </span>
        )}
        {turn && (
          <Button icon="stop" busy={cancel.isPending} onPress={() => cancel.mutate({ id: turn })}>
            {say.cancel}
          </Button>
        )}
        <Button look="primary" icon="send" type="submit" busy={busy}>
          {say.send}
        </Button>
      </div>
    </form>
  )
}
