// A reporter of vitest that writes how long every test file and every test took, in milliseconds: the whole file, with its
// imports and hooks, which the JSON reporter leaves out.
import fs from 'node:fs'
import path from 'node:path'
import { lastTimes } from './vitest.mjs'

export default class TimesReporter {
  onInit(vitest) {
    this.root = vitest.config.root
    this.workers = vitest.config.maxWorkers
    this.began = Date.now()
  }

  onTestRunEnd(modules) {
    const files = modules.map((module) => {
      const { setupDuration, collectDuration, duration } = module.diagnostic()
      return {
        file: path.relative(this.root, module.moduleId),
        ms: Math.round(setupDuration + collectDuration + duration),
        importMs: Math.round(setupDuration + collectDuration),
        tests: [...module.children.allTests()].map((test) => ({
          name: test.fullName,
          state: test.result().state,
          ms: Math.round(test.diagnostic()?.duration ?? 0),
        })),
      }
    })
    const run = { wallMs: Date.now() - this.began, workers: this.workers, files }
    fs.mkdirSync(path.dirname(lastTimes), { recursive: true })
    fs.writeFileSync(lastTimes, JSON.stringify(run))
  }
}
