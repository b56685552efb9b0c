import { useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { say as tell } from '../../../ui/overlays/toast.tsx'
import { asObject } from '../../../ui/schema/schema.ts'
import type { SchemaValue } from '../../../ui/schema/schema-form.tsx'
import { useWords } from '../../../words.ts'
import { areaWords } from '../words.ts'

const bytesMax = 20 * 1024 * 1024

/** A file that goes along with the form: a photo of a receipt, a table to import. */
export function FileField({ each }: { each: SchemaValue }) {
  const say = useWords(areaWords)
  const input = useRef<HTMLInputElement>(null)
  const { fileName } = asObject(each.value)
  async function take(file: File) {
    if (file.size > bytesMax) return tell(file.name, { bad: true, description: say.tooLarge })
    each.onChange({ fileName: file.name, ...(file.type && { fileType: file.type }), base64: await base64Of(file) })
  }
  return (
    <div className="flex items-center gap-2 min-w-0">
      <input
        ref={input}
        type="file"
        accept="image/*,application/pdf,.csv,.xlsx,.xml"
        hidden
        aria-label={each.label}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) void take(file)
          event.target.value = ''
        }}
      />
      <Button icon="file" onPress={() => input.current?.click()}>
        {say.choose}
      </Button>
      {typeof fileName === 'string' && (
        <>
          <bdi className="truncate">{fileName}</bdi>
          <Button look="quiet" icon="close" label={say.removeFile} onPress={() => each.onChange(undefined)} />
        </>
      )}
    </div>
  )
}

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
