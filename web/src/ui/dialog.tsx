import type { ReactNode } from 'react'
import { Dialog as Base, Heading } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useWords, words } from '../words.ts'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'

const said = words({ back: 'Back', close: 'Close' }, { back: 'חזרה', close: 'סגירה' })

type DialogProps = { title: string; onClose: () => void; wide?: boolean; children: ReactNode; footer?: ReactNode }

/** A dialog over the page. Escape and the shade close it; below 40 rem it stands at the bottom of the window. */
export function Dialog({ title, onClose, wide = false, children, footer }: DialogProps) {
  const say = useWords(said)
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => !open && onClose()}
      className="fixed inset-0 z-40 grid items-end sm:items-center justify-items-center bg-shade transition-opacity entering:opacity-0"
    >
      <Modal
        className={`floating rounded-xl max-sm:rounded-b-none w-full sm:w-[calc(100vw-3rem)] ${wide ? 'sm:max-w-[48rem]' : 'sm:max-w-[30rem]'} max-h-[90dvh] flex flex-col`}
      >
        <Base className="min-h-0 flex flex-col outline-none">
          <header className="flex items-start gap-3 p-5 pb-3">
            <Heading slot="title" className="title-text flex-1">
              {title}
            </Heading>
            <Button look="quiet" icon="close" label={say.close} onPress={onClose} />
          </header>
          <div className="px-5 pb-5 grid grid-cols-[minmax(0,1fr)] gap-4 overflow-y-auto">{children}</div>
          {footer && (
            <footer className="flex flex-wrap justify-end gap-2 px-5 py-4 border-t border-rule">{footer}</footer>
          )}
        </Base>
      </Modal>
    </ModalOverlay>
  )
}

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
