/**
 * Commands that only BrowserOS's own Chromium has: it numbers its tabs. They are turned into commands of the Target domain, which the gate's rules
 * then check, and the answers are turned back. Numbers belong to one connection.
 */
import type { Protocol } from '../cdp/protocol.ts';

type Fields = Record<string, unknown>;
type Answer = (result: Fields, asked: Fields) => Fields;

interface TabCommand {
  method: string;
  params: Fields;
}

export class BrowserOsTabs {
  readonly #numbers = new Map<string, number>();
  readonly #known = new Map<string, { url: string; title: string }>();
  #active: string | undefined;

  /** The command of the Target domain that a command stands for, or the command itself. */
  translate(method: string, params: Fields): TabCommand {
    const targetId = this.#targetOf(params);
    switch (method) {
      case 'Browser.getTabs':
      case 'Browser.getActiveTab':
        return { method: 'Target.getTargets', params: { filter: [{ type: 'page' }] } };
      case 'Browser.getTabInfo':
        return { method: 'Target.getTargetInfo', params: { targetId } };
      case 'Browser.createTab': {
        const { url = 'about:blank', background, browserContextId } = params;
        const more = { ...(background === undefined ? {} : { background }) };
        return {
          method: 'Target.createTarget',
          params: { url, ...more, ...(browserContextId === undefined ? {} : { browserContextId }) },
        };
      }
      case 'Browser.closeTab':
        return { method: 'Target.closeTarget', params: { targetId } };
      case 'Browser.showTab':
        return { method: 'Target.activateTarget', params: { targetId } };
      default:
        return { method, params };
    }
  }

  /** The answer as the client expects it; `asked` is what it sent. */
  answer(method: string, asked: Fields, result: Fields): Fields {
    return this.#answers[method]?.(result, asked) ?? result;
  }

  readonly #answers: Readonly<Record<string, Answer>> = {
    'Browser.getTabs': (result) => ({ tabs: this.#tabsIn(result) }),
    'Browser.getActiveTab': (result) => {
      const tabs = this.#tabsIn(result);
      const tab = tabs.find(({ isActive }) => isActive) ?? tabs[0];
      return tab ? { tab: { ...tab, isActive: true } } : {};
    },
    'Browser.getTabInfo': (result) => ({ tab: this.#learn(result['targetInfo'] as Protocol.Target.TargetInfo) }),
    'Browser.createTab': ({ targetId }, { url = 'about:blank', background }) => {
      const id = String(targetId);
      if (background !== true) this.#active = id;
      return { tab: this.#learn({ targetId: id, url: String(url), title: '' }) };
    },
    'Browser.closeTab': () => ({}),
    'Browser.showTab': (_, asked) => {
      const targetId = this.#targetOf(asked);
      this.#active = targetId;
      return { tab: this.#learn({ targetId, url: '', title: '', ...this.#known.get(targetId) }) };
    },
  };

  #tabsIn(result: Fields) {
    return (result['targetInfos'] as Protocol.Target.TargetInfo[])
      .filter(({ type }) => type === 'page')
      .map((info) => this.#learn(info));
  }

  #learn({ targetId, url, title }: Pick<Protocol.Target.TargetInfo, 'targetId' | 'url' | 'title'>) {
    this.#known.set(targetId, { url, title });
    const tabId = this.#numbers.get(targetId) ?? this.#numbers.size + 1;
    this.#numbers.set(targetId, tabId);
    const state = { isActive: targetId === this.#active, isLoading: false, loadProgress: 1 };
    return { tabId, targetId, url, title, ...state, isPinned: false, isHidden: false };
  }

  /** A tab is named by its number or by its target; an unknown one leads to the gate's own answer for an unknown target. */
  #targetOf({ tabId, targetId }: Fields): string {
    if (typeof targetId === 'string') return targetId;
    for (const [id, number] of this.#numbers) if (number === tabId) return id;
    return '';
  }
}
