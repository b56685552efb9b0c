/**
 * ONNX Runtime reports its use to its maker over HTTPS, and keeps an id of the machine in the home folder, unless this is set
 * before it is loaded. What Kontor reads stays on the machine.
 */
export const silence = { ORT_DISABLE_TELEMETRY: '1' }

/** ONNX Runtime; nothing where it has no build for the platform. */
export function onnxRuntime() {
  silenceProcess()
  return import('onnxruntime-node').catch(() => undefined)
}

/** Threads have a copy of the environment, of which native code knows nothing: the program sets it before it starts them. */
export const silenceProcess = () => void Object.assign(process.env, silence)
