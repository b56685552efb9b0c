import { useState } from 'react'
import { useWords, words } from '../../words.ts'
import { Button } from '../button.tsx'

const said = words({ copy: 'Copy', copied: 'Copied' }, { copy: 'העתקה', copied: 'הועתק' })

/** Text to be copied as it is: a key, a command, a configuration. */
export function CopyBlock({ text, label }: { text: string; label: string }) {
  const say = useWords(said)
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 2_000)
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 rounded-md border border-rule bg-tint p-2">
      <pre dir="ltr" tabIndex={0} role="region" aria-label={label} className="overflow-x-auto font-mono text-sm p-1">
        {text}
      </pre>
      <Button icon={copied ? 'check' : 'copy'} onPress={() => void copy()}>
        {copied ? say.copied : say.copy}
      </Button>
    </div>
  )
}
