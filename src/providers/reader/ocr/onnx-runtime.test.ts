import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../../test/temporary-folder.ts'
import { detectorNetwork, modelFolder } from './network.ts'
import { onnxRuntime, silence } from './onnx-runtime.ts'

const isThere = (await onnxRuntime()) !== undefined

/** The files in the home folder of a process that has opened a model. */
function filesAfterUse(variables: Record<string, string>): string[] {
  const home = newFolder('home')
  const model = JSON.stringify(join(modelFolder(), detectorNetwork))
  const program = `import { InferenceSession } from 'onnxruntime-node'
    await InferenceSession.create(${model}, { logSeverityLevel: 4 })
    await new Promise((resolve) => setTimeout(resolve, 500))`
  const env = { HOME: home, XDG_CACHE_HOME: join(home, '.cache'), ...variables }
  execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: process.cwd(), env })
  return existsSync(home) ? readdirSync(home, { recursive: true }).map(String) : []
}

test.runIf(isThere)('ONNX Runtime reports nothing to its maker and keeps no id of the machine', () => {
  expect(process.env).toMatchObject(silence)
  expect(filesAfterUse(silence)).toEqual([])
})

test.runIf(isThere && process.platform === 'linux')(
  'the installed version still asks for the variable that silences it',
  () => {
    const folder = join(dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json')), 'bin')
    const libraries = readdirSync(folder, { recursive: true })
      .map(String)
      .filter((file) => file.includes('libonnxruntime.so'))
    expect(libraries.length).toBeGreaterThan(0)
    for (const file of libraries)
      expect(readFileSync(join(folder, file)).includes('ORT_DISABLE_TELEMETRY'), file).toBe(true)
  },
)
