import { Dialog as Base, Heading } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useWords, words } from '../../words.ts'
import { Button } from '../button.tsx'
import type { DialogProps } from './dialog.tsx'

const said = words({ close: 'Close' }, { close: 'סגירה' })

/** A dialog over the page. Escape and the shade close it; below 40 rem it stands at the bottom of the window. */
export function DialogFrame({
  title,
  onClose,
  wide = false,
  most = false,
  reads = false,
  children,
  footer,
}: DialogProps) {
  const say = useWords(said)
  return (
    <ModalOverlay
      isOpen
      data-modal
      isDismissable
      onOpenChange={(open) => !open && onClose()}
      className="fixed inset-0 z-40 grid items-end sm:items-center justify-items-center bg-shade transition-opacity entering:opacity-0"
    >
      <Modal
        className={`floating rounded-xl max-sm:rounded-b-none w-full sm:w-[calc(100vw-3rem)] ${most ? 'sm:max-w-[76rem]' : wide ? 'sm:max-w-[48rem]' : 'sm:max-w-[30rem]'} max-h-[90dvh] flex flex-col`}
      >
        <Base className="min-h-0 flex flex-col outline-none">
          <header className="flex items-start gap-3 p-5 pb-3">
            <Heading slot="title" className="title-text flex-1">
              {title}
            </Heading>
            <Button look="quiet" icon="close" label={say.close} onPress={onClose} />
          </header>
          <div
            {...(reads && { tabIndex: 0, role: 'group' })}
            className="px-5 pb-5 grid grid-cols-[minmax(0,1fr)] gap-4 overflow-y-auto"
          >
            {children}
          </div>
          {footer && (
            <footer className="flex flex-wrap justify-end gap-2 px-5 py-4 border-t border-rule">{footer}</footer>
          )}
        </Base>
      </Modal>
    </ModalOverlay>
  )
}
