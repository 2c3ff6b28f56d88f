/** Packs out: prompts and a token, nothing else. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  presets as knownPresets,
  type Pack,
  PRESET_NAMES,
  type Preset,
  type SelectorIssue,
  validateSelectors,
} from '../../capture/formats.ts';
import { draftPack, makePack, packRequestSchema } from '../../capture/index.ts';
import { loadDataset } from '../../store/index.ts';
import { problemResponses } from '../problem.ts';
import { newRouter, type Router } from '../route-module.ts';
import { keyBlockers } from './key-blockers.ts';
import { type Blocker, preflightAnswer, preflightSchema, scoringSchema } from './preflight.ts';
import { body, json, warningSchema } from './respond.ts';
import type { RouteContext } from './route-context.ts';

/** The schema of an object that formats.ts declares has its names, no more and no fewer. */
type Fields<T> = { [K in keyof T]-?: z.ZodType };

const packSchema = z
  .object({
    pack_id: z.string(),
    dataset: z.object({ id: z.string(), name: z.string(), version_hash: z.string() }),
    sections: z.array(z.string()).readonly(),
    items: z.array(z.object({ id: z.string(), seq: z.int(), section: z.string(), prompt_text: z.string() })).readonly(),
    excluded: z.array(z.object({ id: z.string(), reason: z.string() })).readonly(),
    scoring: scoringSchema,
    dataset_token: z.string(),
    expires_at: z.string(),
    warnings: z.array(warningSchema).readonly(),
  } satisfies Fields<Pack>)
  .openapi('Pack');

const issueSchema = z.object({
  path: z.string(),
  code: z.string(),
  message: z.string(),
} satisfies Fields<SelectorIssue>);

const presetSchema = z
  .object({
    name: z.enum(PRESET_NAMES),
    display_name: z.string().optional(),
    origin: z.string().nullable().optional(),
    revision: z.string().optional(),
    seen_on: z.string().nullable().optional(),
    verified_on: z.string().nullable().optional(),
    selectors: z.record(z.string(), z.array(z.string()).readonly()).optional(),
    notices: z
      .array(z.object({ code: z.string(), phrases: z.array(z.string()).readonly() }))
      .readonly()
      .optional(),
    remarks: z.array(z.string()).readonly().optional(),
    /** A page of the same markup to try the script on, where the server was told of one. */
    fixture: z
      .object({
        url: z.string(),
        origin: z.string(),
        selectors: z.record(z.string(), z.array(z.string()).readonly()).optional(),
      })
      .optional(),
  } satisfies Fields<Preset & { fixture: unknown }>)
  .openapi('Preset');

const post = createRoute({
  method: 'post',
  path: '/browser-harness/packs',
  operationId: 'createPack',
  summary: 'Make a signed, prompt-only pack of a dataset',
  tags: ['browser harness'],
  request: { body: body(packRequestSchema) },
  responses: { 201: json('The pack', packSchema), ...problemResponses(400, 404, 422) },
});

const preflight = createRoute({
  method: 'post',
  path: '/browser-harness/preflight',
  operationId: 'preflightPack',
  summary: 'What would keep this pack from being made or scored; makes none',
  tags: ['browser harness'],
  // `quiet_ms` is a setting of the script; a custom page needs it or a busy selector.
  request: { body: body(packRequestSchema.extend({ quiet_ms: z.number().nonnegative().optional() })) },
  responses: {
    200: json('Blockers and warnings', preflightSchema),
    ...problemResponses(400),
  },
});

const presets = createRoute({
  method: 'get',
  path: '/browser-harness/presets',
  operationId: 'listPresets',
  summary: 'Chat pages that are known, as dated data',
  tags: ['browser harness'],
  responses: {
    200: json('The presets', z.object({ presets: z.array(presetSchema) })),
  },
});

const validate = createRoute({
  method: 'post',
  path: '/browser-harness/selectors/validate',
  operationId: 'validateSelectors',
  summary: 'Check selectors that a person entered, as far as that goes without a page',
  tags: ['browser harness'],
  request: { body: body(z.object({ selectors: z.unknown(), quiet_ms: z.number().nonnegative().optional() })) },
  responses: {
    200: json('What is wrong with them', z.object({ valid: z.boolean(), issues: z.array(issueSchema) })),
    ...problemResponses(400, 503),
  },
});

export type PackRoutes = typeof post | typeof preflight | typeof presets | typeof validate;

export function packRoutes(context: RouteContext): Router {
  const { store, keys, now, fixtures = {} } = context;
  const router = newRouter();
  router.openapi(post, async (c) => c.json(await makePack(store, c.req.valid('json'), keys, now()), 201));
  router.openapi(preflight, async (c) => {
    const { quiet_ms, ...request } = c.req.valid('json');
    const blockers: Blocker[] = [];
    const { preset, selectors } = request.target;
    if (preset === 'custom' || selectors) {
      for (const { code, path, message } of validateSelectors(
        selectors ?? {},
        quiet_ms === undefined ? {} : { quiet_ms },
      )) {
        blockers.push({ code: `selector_${code}`, message, fix: `Correct ${path}.` });
      }
    }
    const dataset = await loadDataset(store.db, request.dataset_id, false);
    blockers.push(...(await keyBlockers(context, request)));
    return c.json(await preflightAnswer(blockers, () => draftPack(store.db, dataset, request, keys, now())), 200);
  });
  router.openapi(presets, (c) => {
    const known = PRESET_NAMES.map((name) => ({
      ...knownPresets[name],
      ...(fixtures[name] ? { fixture: fixtures[name] } : {}),
    }));
    return c.json({ presets: known }, 200);
  });
  router.openapi(validate, (c) => {
    const { selectors, quiet_ms } = c.req.valid('json');
    const issues = validateSelectors(selectors, quiet_ms === undefined ? {} : { quiet_ms });
    return c.json({ valid: issues.length === 0, issues }, 200);
  });
  return router;
}
