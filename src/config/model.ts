import type { ModelBudget } from '../core/outside/conversation.ts'
import { Secret } from '../core/secrets/secret.ts'
import { parseUrl } from '../core/values/url.ts'
import type { ModelSetting } from '../providers/model/model.ts'
import { number } from './number.ts'
import { type Environment, WrongSetting } from './wrong-setting.ts'

/** The key is in KONTOR_MODEL_KEY, or in the variable that the programs of the provider read too. */
const providers = {
  anthropic: { url: 'https://api.anthropic.com/v1', key: 'ANTHROPIC_API_KEY' },
  openai: { url: 'https://api.openai.com/v1', key: 'OPENAI_API_KEY' },
  google: { url: 'https://generativelanguage.googleapis.com/v1beta', key: 'GOOGLE_GENERATIVE_AI_API_KEY' },
} as const

/** KONTOR_MODEL: `anthropic:…`, `openai:…`, `google:…` or `compatible:<base url>#<model>`. */
export function modelSetting(env: Environment): ModelSetting | undefined {
  const text = env.KONTOR_MODEL?.trim()
  if (!text) return undefined
  const [, own, ownModel] = /^compatible:(https?:\/\/[^#\s]+)#([\w.:/@+-]{1,200})$/.exec(text) ?? []
  if (own && ownModel) {
    const [url, key] = [baseUrl('KONTOR_MODEL', own), keyOf('KONTOR_MODEL_KEY', env)]
    if (env.KONTOR_MODEL_URL) throw new WrongSetting('KONTOR_MODEL_URL must be empty: KONTOR_MODEL has the address.')
    return { provider: 'compatible', model: ownModel, url, key }
  }
  const [, provider, model] = /^(anthropic|openai|google):([\w.:/@+-]{1,200})$/.exec(text) ?? []
  if (!isProvider(provider) || !model) {
    throw new WrongSetting(
      'KONTOR_MODEL must be anthropic:<model>, openai:<model>, google:<model> or compatible:<base url>#<model>, such as compatible:http://127.0.0.1:11434/v1#qwen2.5vl, without a password in the address.',
    )
  }
  const { url, key: usual } = providers[provider]
  const key = keyOf('KONTOR_MODEL_KEY', env) ?? keyOf(usual, env)
  if (!key) throw new WrongSetting(`KONTOR_MODEL_KEY (or ${usual}) is required with KONTOR_MODEL ${provider}:….`)
  return { provider, model, url: baseUrl('KONTOR_MODEL_URL', env.KONTOR_MODEL_URL || url), key }
}

/** What the companion may use of the model for each organization and day. A cost is in the currency of the prices. */
export function modelBudget(env: Environment): ModelBudget {
  const priceOf = (name: string) => number(env, name, 0, { min: 0, max: 1_000_000 })
  const pricePerMillion = { input: priceOf('KONTOR_MODEL_PRICE_IN'), output: priceOf('KONTOR_MODEL_PRICE_OUT') }
  const dailyTokens = number(env, 'KONTOR_MODEL_DAILY_TOKENS', dailyTokensUsually, { min: 1, max: 1e12, whole: true })
  if (!env.KONTOR_MODEL_DAILY_COST) return { dailyTokens, pricePerMillion, dailyCostMicros: undefined }
  const dailyCost = number(env, 'KONTOR_MODEL_DAILY_COST', 0, { min: 0.01, max: 1_000_000 })
  if (!env.KONTOR_MODEL_PRICE_IN || !env.KONTOR_MODEL_PRICE_OUT) {
    throw new WrongSetting(
      'KONTOR_MODEL_DAILY_COST needs KONTOR_MODEL_PRICE_IN and KONTOR_MODEL_PRICE_OUT, the prices of a million tokens.',
    )
  }
  return { dailyTokens, pricePerMillion, dailyCostMicros: Math.round(dailyCost * 1_000_000) }
}

const dailyTokensUsually = 2_000_000

const isProvider = (text: string | undefined): text is keyof typeof providers => text !== undefined && text in providers

function keyOf(name: string, { [name]: key }: Environment): Secret | undefined {
  if (!key) return undefined
  // Not repeated here: it is a secret.
  if (!/^[\x21-\x7e]{1,1000}$/.test(key))
    throw new WrongSetting(`${name} must be the key of the model, without spaces.`)
  return new Secret(key)
}

function baseUrl(name: string, text: string): string {
  const url = parseUrl(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    // Not repeated here: it may hold a password.
    throw new WrongSetting(
      `${name} must have a web address without a password or query, such as https://models.example.com/v1.`,
    )
  }
  return url.href.replace(/\/+$/, '')
}
