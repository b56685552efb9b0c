import type { LanguageModel } from 'ai'
import type { Egress } from '../../core/outside/egress.ts'
import type { Secret } from '../../core/secrets/secret.ts'
import { type CallLimits, modelFetch } from './model-fetch.ts'

/** Which model, where it is called and with which key: KONTOR_MODEL, KONTOR_MODEL_URL and KONTOR_MODEL_KEY. */
export type ModelSetting = {
  provider: 'anthropic' | 'openai' | 'google' | 'compatible'
  model: string
  /** The base address, without a stroke at the end. */
  url: string
  key: Secret | undefined
}

/** `<provider>:<model>`, as answers name it. The address is left out: it may be one of the operator's own network. */
export type ModelId = `${ModelSetting['provider']}:${string}`

export type Model = {
  id: ModelId
  /** The model for the AI SDK. Its calls go through egress, for this organization and within these limits. */
  open(limits: CallLimits): Promise<LanguageModel>
}

/** The model of the installation. Nothing is loaded or contacted before it is used. */
export const openModel = (setting: ModelSetting, egress: Pick<Egress, 'callModel'>): Model => ({
  id: `${setting.provider}:${setting.model}`,
  open: (limits) => load(setting, modelFetch(egress, limits)),
})

/** Address and key are always given, because the SDK would look for them in the environment otherwise. */
async function load({ provider, model, url: baseURL, key }: ModelSetting, send: typeof fetch): Promise<LanguageModel> {
  globalThis.AI_SDK_LOG_WARNINGS = false // it would print to the console
  const given = { baseURL, apiKey: key?.reveal() ?? '', fetch: send }
  switch (provider) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic(given)(model)
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI(given).chat(model) // unlike the responses API, it stores nothing by default, and gateways speak it
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI(given)(model)
    }
    case 'compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const name = 'compatible'
      const { apiKey, ...rest } = given
      const asked = { supportsStructuredOutputs: true, includeUsage: true } // usage also of answers that are streamed
      return createOpenAICompatible({ ...rest, name, ...(apiKey && { apiKey }), ...asked })(model)
    }
  }
}
