import type { ReactNode } from 'react'
import { useWords, words } from '../../words.ts'
import { Alert } from '../alert.tsx'
import { Button } from '../button.tsx'
import { lazily } from '../lazily.tsx'

const said = words({ back: 'Back' }, { back: 'חזרה' })

export type DialogProps = {
  title: string
  onClose: () => void
  wide?: boolean
  /** As wide as the window allows, for two things beside each other. */
  most?: boolean
  /** It has text and no fields: the text takes the focus, so that keys scroll it. */
  reads?: boolean
  children: ReactNode
  footer?: ReactNode
}

/** A dialog over the page. Its frame comes when the first one is opened. */
export const Dialog = lazily(() => import('./dialog-frame.tsx'), 'DialogFrame')

type AskProps = {
  title: string
  /** What becomes final, in a sentence. */
  children: ReactNode
  /** The verb on the button. */
  act: string
  danger?: boolean
  busy?: boolean
  /** Why the server refused the last attempt. */
  problem?: string
  onAct: () => void
  onClose: () => void
}

/** Asks once before something that cannot be taken back. The focus is on the way back. */
export function Ask({ title, children, act, danger = false, busy = false, problem, onAct, onClose }: AskProps) {
  const say = useWords(said)
  return (
    <Dialog
      reads
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button autoFocus onPress={onClose}>
            {say.back}
          </Button>
          <Button look={danger ? 'danger' : 'primary'} busy={busy} onPress={onAct}>
            {act}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">{children}</div>
      {problem && <Alert>{problem}</Alert>}
    </Dialog>
  )
}
