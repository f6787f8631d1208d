"""The few words that the runtime itself says about values, options and refusals, in each language it knows.

A text in the language of this code is its own key; its holes are names in braces. What a ruleset says stands there.
"""

from __future__ import annotations

_JAPANESE = {
    "and": "、",
    ", ": "、",
    "yes": "はい",
    "{what}: {values}": "{what}：{values}",
    "{what} ({more})": "{what}（{more}）",
    "{base}, shifted {count} to the left": "{base}、左へ{count}列",
    "{base}, shifted {count} to the right": "{base}、右へ{count}列",
    "{number} {what}": "{what}×{number}",
    "; ": "／",
    "above {low}": "{low}超",
    "above {low} to {high}": "{low}超{high}以下",
    "no": "いいえ",
    "nothing": "なし",
    "reconstructed": "復元",
    "done": "終わり",
    "finish": "ここまで",
    "at least": "下限",
    "at most": "上限",
    "{told} (by {way})": "{told}（{way}経由）",
    "{name} by {side}": "{name}、{side}が振る",
    "no dice": "サイなし",
    "printed": "印刷",
    "inferred": "推定",
    "{option} (nothing else is possible)": "{option}（ほかに選択肢がない）",
    "turn {number}": "第{number}ターン",
    "no longer {what}": "{what}：解除",
    "{thing} ({owner})": "{thing}（{owner}）",
    "nothing is being decided now": "今は決めることがない",
    "the game is over": "ゲームは終わった",
    "`{name}` belongs to another decision ({decisions}); now: {prompt}": "「{name}」を決めるのは今ではない（{decisions}）。今決めるのは：{prompt}",
    "there is no option `{name}`": "「{name}」という選択肢はない",
    "there is no option": "選択肢がない",
    "`{name}` has no `{given}`; it takes {known}": "「{name}」に「{given}」は無い。指定できるのは：{known}",
    "`{name}` is not for {given} here, only for {offered}": "ここでは「{name}」は{given}にはできない。できるのは{offered}",
    "{number} more": "ほか{number}",
    "`{name}` cannot be done with {told} here": "ここでは{told}で「{name}」はできない",
    "`{given}` names no piece": "`{given}`という駒はない",
    "anything": "何か",
    "another choice comes first here": "ここでは別の選択が優先される",
    "this way cannot be gone on": "この経路は続けられない",
    "the parts stand with ` > ` between them: write `{key}`": "各部分の間に「 > 」を置く：`{key}`",
    "the parts stand in the order in which they are offered: write `{key}`": "各部分は示された順に書く：`{key}`",
    "no way leads to {told} from here": "ここから{told}へ至る方法がない",
    "an end": "終わり",
    "it ends there: {step}": "そこで終わる：{step}",
    "no way from there can be ended": "その先で終えられる経路がない",
    "this is only a beginning; it may go on with {steps}": "これは途中まで。続けられる手順：{steps}",
    "there is no step `{name}` here": "ここに「{name}」という手順はない",
    "`{key}` is not written as an option of this decision; for example `{example}`": "「{key}」は選択肢の書き方ではない。例：{example}",
    "events, each at least once:": "出来事（一度でも起こる確率）：",
    "and {number} rarer ones": "ほか{number}件（より稀）",
    "on the average:": "平均：",
    "{side} loses: {amounts}": "{side}の損害：{amounts}",
    "{side} gains: {amounts}": "{side}の増加：{amounts}",
    "counted, but not to the end; positions looked at: {number}": "終わりまでは数えていない（調べた局面：{number}）",
    "not followed: {what}, {share}; what comes of it is left out": "追わなかったもの：{what}、{share}（その先は含まない）",
    "the end of what was chosen": "選んだ行動の終わり",
    "evaluation:": "評価：",
    "decisions inside, taken at random, each option as likely as the others: {whose}": "途中の決定（どの選択肢も等しい確率で選ぶ）：{whose}",
    "decisions inside, taken by the first option: {whose}": "途中の決定（最初の選択肢を選ぶ）：{whose}",
    "best and worst: the most and the least that all these decisions together can make of it": "最良・最悪：これらの決定すべてで得られる最大と最小",
    "more than {most} positions; estimated from {throws} throws instead, ± one sigma": "局面が{most}を超えたため、{throws}回振って推定（±1σ）",
    "exact; positions looked at: {number}": "正確な値（調べた局面：{number}）",
    "exact; nothing is left to chance": "正確な値（運に左右されない）",
    "up to: {ends}": "ここまで：{ends}",
    "the decision {name} ({side})": "決定「{name}」（{side}）",
    "the dice of {name}": "「{name}」のサイ",
    "the end of the game": "ゲームの終わり",
    "the end of what is going on": "進行中の手順の終わり",
    "other results: {number}": "その他の結果：{number}件",
    "the game ends: {how}": "ゲーム終了：{how}",
    "gives {number}": "{number}となる",
    "no change": "変化なし",
    "draw": "引き分け",
    "{number} {what} in {place}": "{place}の{what}×{number}",
    "{what} lost": "{what}を失う",
    "(from {worst} to {best} by the decisions inside)": "（途中の決定により{worst}～{best}）",
    "nobody's": "無所属",
    "pieces": "駒",
    "steps of {ladder}": "{ladder}の段階",
    "now {now}, expected {expected}": "現在{now}、期待値{expected}",
    ", best {best}, worst {worst}": "、最良{best}、最悪{worst}",
}
_CATALOGUES = {"ja": _JAPANESE}
_DIRECTIONS = {
    "ja": {"n": "北", "ne": "北東", "e": "東", "se": "南東", "s": "南", "sw": "南西", "w": "西", "nw": "北西"},
}


def said(text: str, language: str) -> str:
    """A text in a language; where nobody has translated it, as it stands."""
    return _CATALOGUES.get(language, {}).get(text, text)


def direction_said(direction: str, language: str) -> str:
    """A direction of a grid; where nobody has translated it, as it stands."""
    return _DIRECTIONS.get(language, {}).get(direction, direction)
