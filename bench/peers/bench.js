// Measures ai-retry and ai-fallback over a bare in-memory model, beside which the
// bare model is timed in turns, and prints lines as Go's benchmarks do. The models
// are asked as the AI SDK asks them, by doGenerate and doStream, so that what the
// SDK itself does around a call counts for nobody.
//
//	node bench.js [milliseconds a subject]
import { createFallback } from 'ai-fallback'
import { createRetryableModel, error } from 'ai-retry/language-model'
import { createRequire } from 'node:module'

const budget = Number(process.argv[2] ?? 100)
const turns = 20

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const stop = { unified: 'stop', raw: 'stop' }
const token = { type: 'text-delta', id: '0', delta: 'token' }
const finish = { type: 'finish', finishReason: stop, usage }
const options = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] }

// bare answers from memory with no work of its own: n times the same text, then a
// finish.
function bare(n, modelId = 'base') {
  return {
    specificationVersion: 'v4',
    provider: modelId,
    modelId,
    supportedUrls: {},
    async doGenerate() {
      return { content: [{ type: 'text', text: 'token' }], finishReason: stop, usage, warnings: [] }
    },
    async doStream() {
      let left = n
      return {
        stream: new ReadableStream({
          pull(controller) {
            if (left-- > 0) {
              controller.enqueue(token)
              return
            }
            controller.enqueue(finish)
            controller.close()
          },
        }),
      }
    },
  }
}

const gone = Object.assign(new Error('overloaded: no such model'), { statusCode: 404 })

// failing fails at once with what another model may fix.
function failing() {
  return {
    ...bare(1),
    async doGenerate() {
      throw gone
    },
    async doStream() {
      throw gone
    },
  }
}

const spare = bare(1, 'spare')
const retrying = (model) => createRetryableModel({ model, retries: [error(() => true).switch({ model: spare })] })
const falling = (model) => createFallback({ models: [model, spare], shouldRetryThisError: () => true })

async function read(model) {
  const { stream } = await model.doStream(options)
  const reader = stream.getReader()
  while (!(await reader.read()).done);
}

const call = (model) => async (n) => {
  for (; n > 0; n--) await model.doGenerate(options)
}

const streams = (model) => async (n) => {
  for (; n > 0; n--) await read(model)
}

// An ai-fallback that has walked begins its next call where it is, so that each
// call has one of its own; making it costs next to nothing.
const anew = (make, use) => async (n) => {
  for (; n > 0; n--) await use(make())(1)
}

// parts reads n parts of one stream. A wrapper that reads ahead without bound
// holds them all, so that streams have 1,000 parts at most.
const parts = (wrap) => async (n) => {
  for (; n > 0; n -= 1000) await read(wrap(bare(Math.min(n, 1000))))
}

const same = (m) => m

const groups = [
  ['Part', [
    ['ai-sdk', parts(same)],
    ['ai-retry', parts(retrying)],
    ['ai-fallback', parts(falling)],
  ]],
  ['Call', [
    ['ai-sdk', call(bare(1))],
    ['ai-retry', call(retrying(bare(1)))],
    ['ai-fallback', call(falling(bare(1)))],
  ]],
  ['Walk/call', [
    ['ai-sdk', call(bare(1))],
    ['ai-retry', call(retrying(failing()))],
    ['ai-fallback', anew(() => falling(failing()), call)],
  ]],
  ['Walk/stream', [
    ['ai-sdk', streams(bare(1))],
    ['ai-retry', streams(retrying(failing()))],
    ['ai-fallback', anew(() => falling(failing()), streams)],
  ]],
]

// measure times a subject and, in turns with it, what it is measured against.
async function measure(subject, against) {
  const time = async (f, n) => {
    const begun = process.hrtime.bigint()
    await f(n)
    return Number(process.hrtime.bigint() - begun)
  }
  let n = 1000
  for (const f of [against, subject]) { // for the compiler
    for (let spent = 0; spent < budget * 2e6; ) spent += await time(f, n)
  }
  const once = (await time(subject, n)) / n
  n = Math.max(1, Math.round((budget * 1e6) / turns / once))
  let own = 0
  let bare = 0
  for (let turn = 0; turn < turns; turn++) {
    bare += await time(against, n)
    own += await time(subject, n)
  }
  return { n: n * turns, own: own / n / turns, bare: bare / n / turns }
}

const version = (name) => createRequire(import.meta.url)(`./node_modules/${name}/package.json`).version

console.log(`node: ${process.version}`)
for (const name of ['ai', 'ai-retry', 'ai-fallback']) console.log(`${name}: ${version(name)}`)
for (const [group, subjects] of groups) {
  for (const [name, run] of subjects) {
    const { n, own, bare } = await measure(run, subjects[0][1])
    console.log(`Benchmark${group}/${name} ${n} ${own.toFixed(1)} ns/op ${bare.toFixed(1)} bare-ns/op ${(own / bare).toFixed(3)} x-bare`)
  }
}
