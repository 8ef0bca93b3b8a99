"""Recognisers' JSON: what is the text in each shape, what repeats it, and when it was said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoteview.core.audit import audit
from quoteview.core.captions import recogniser
from quoteview.core.captions.scan import view_of
from quoteview.core.captions.track import CaptionFormat, Cue, OrderFault, Track
from quoteview.core.errors import CaptionError
from quoteview.core.ledger import EntryKind
from quoteview.core.locking import lock
from tests.readings import bytes_of, parametrised, proven


def read(data: bytes) -> Track:
    view = view_of(lock(data, "a.json"))
    assert recogniser.recognises(view)
    return proven(recogniser.read(view))


def told(track: Track) -> list[tuple[str, int, int]]:
    return [(cue.text, *cue.time) for cue in track.cues]


def spoken(track: Track, cue: Cue) -> list[tuple[str, int]]:
    """Each word time with the three bytes that stand there."""
    return [(track.source.data[word.start : word.start + 3].decode(), word.start_ms) for word in cue.word_times]


WHISPER = (
    b'{"text": " The vote was five to four. Nobody clapped.", "language": "en", "segments": ['
    b'{"id": 0, "start": 0.0, "end": 4.0, "text": " The vote was", "tokens": [50364, 383, 1], "words": ['
    b'{"word": " The", "start": 0.0, "end": 0.4}, {"word": " vote", "start": 0.5, "end": 1.0}, {"word": " was", "start": 1.1}]}, '
    b'{"id": 1, "start": 4.0, "end": null, "text": " five to four.", "words": ['
    b'{"word": " five"}, {"word": " to", "start": 4.6, "end": 4.8}, {"word": " four."}]}, '
    b'{"id": 2, "start": 9.92, "end": 8.1, "text": " Nobody clapped."}]}'
)


def test_whisper_segments_are_the_text_and_words_and_the_whole_repeat_it() -> None:
    track = read(WHISPER)
    assert (track.format, track.language) == (CaptionFormat.WHISPER, "en")
    assert told(track) == [("The vote was", 0, 4_000), ("five to four.", 4_000, 4_000), ("Nobody clapped.", 9_920, 9_920)]
    assert [defect.fault for defect in track.order] == [OrderFault.NO_END, OrderFault.ENDS_EARLY]
    assert bytes_of(track, EntryKind.REPEAT) == [
        b" The vote was five to four. Nobody clapped.", b" The", b" vote", b" was", b" five", b" to", b" four.",
    ]  # fmt: skip
    assert spoken(track, track.cues[0]) == [("The", 0), ("vot", 500), ("was", 1_100)]
    assert spoken(track, track.cues[1]) == [("to ", 4_600)]
    assert track.remarks == ("2 words have no time of their own and take their neighbours'.",)
    assert b"50364, 383, 1" in bytes_of(track, EntryKind.METADATA)


def test_a_copy_with_another_letter_is_no_repeat_and_is_reported() -> None:
    track = read(WHISPER.replace(b'" vote", "start"', b'" note", "start"'))
    assert b" note" in bytes_of(track, EntryKind.METADATA)
    assert any("1 of them differ in letters, the first “ note”" in remark for remark in track.remarks)
    assert spoken(track, track.cues[0]) == [("The", 0), ("was", 1_100)]


def test_other_white_space_makes_no_difference_between_copies() -> None:
    assert read(WHISPER.replace(b" four. Nobody", b" four.\\n\\nNobody", 1)).remarks == read(WHISPER).remarks


def test_words_doubled_at_a_chunks_edge_stay_and_overlap_is_in_order() -> None:
    track = read(
        b'{"segments": [{"start": 118.0, "end": 122.0, "text": " so we should vote on"},'
        b' {"start": 120.0, "end": 124.0, "text": " vote on the budget"}]}'
    )
    assert told(track) == [("so we should vote on", 118_000, 122_000), ("vote on the budget", 120_000, 124_000)]
    assert track.order == ()


def test_a_recognisers_loop_is_not_taken_for_roll_up() -> None:
    segment = b'{"start": %d, "end": %d, "text": " Thank you.", "words": [{"word": " Thank", "start": %d}]}'
    bare = b'{"start": %d, "end": %d, "text": " Thank you."}'
    listed = [segment % (0, 1, 0), *(bare % (n, n + 1) for n in range(1, 6))]
    assert [cue.text for cue in read(b'{"segments": [' + b",".join(listed) + b"]}").cues] == ["Thank you."] * 6


def test_speakers_of_words_divide_a_segment_that_names_none() -> None:
    words = (
        b'[{"word": "yes", "start": 0, "speaker": "A"}, {"word": "no", "start": 1, "speaker": "B"}, {"word": "no", "start": 1}]'
    )
    track = read(b'{"segments": [{"start": 0, "end": 2, "text": "yes no no", "words": ' + words + b"}]}")
    assert [(run.text, run.speaker) for run in track.cues[0].runs] == [("yes ", "A"), ("no no", "B")]
    named = read(b'{"segments": [{"start": 0, "end": 2, "speaker": "C", "text": "yes no no", "words": ' + words + b"}]}")
    assert named.cues[0].speakers == ("C",)


@pytest.mark.parametrize(
    "data",
    [
        b'{"text": " Good evening. Good luck.", "chunks": [{"timestamp": [0.0, 3.0], "text": " Good evening."},'
        b' {"timestamp": [3.0, null], "text": " Good luck."}]}',
        b'[{"start": 0.0, "end": 3, "text": " Good evening."}, {"start": "3.0", "text": "Good luck."}]',
        b'[[1, 0, 0.0, 3.0, " Good evening.", [50364, 2], 0.0, -0.2, 1.1, 0.1, [[0.0, 1.0, " Good", 0.9]]],'
        b' [2, 300, 3.0, null, " Good luck.", [1], 0.0]]',
        b'{"result": {"segments": [{"start": 0.0, "end": 3.0, "text": "Good evening."}, {"start": 3.0, "text": "Good luck."}]}}',
        b'{"transcription": [{"timestamps": {"from": "00:00:00,000", "to": "00:00:03,000"}, "offsets": {"from": 0, "to": 3000},'
        b' "text": " Good evening.", "tokens": [{"text": "[_BEG_]", "offsets": {"from": 0, "to": 0}},'
        b' {"text": " Good", "offsets": {"from": 10, "to": 900}}]}, {"offsets": {"from": 3000, "to": null},'
        b' "text": " Good luck."}]}',
    ],
)
def test_whispers_other_layouts(data: bytes) -> None:
    track = read(data)
    assert told(track) == [("Good evening.", 0, 3_000), ("Good luck.", 3_000, 3_000)]
    assert track.remarks == ()


def test_a_list_with_durations() -> None:
    assert told(read(b'[{"text": "a", "start": 1.5, "duration": 2.25}]')) == [("a", 1_500, 3_750)]


def test_words_beside_the_segments_give_their_times() -> None:
    track = read(
        b'{"segments": [{"start": 0, "end": 2, "text": "a dog"}, {"start": 2, "end": 3, "text": "barks"}],'
        b' "words": [{"word": "a", "start": 0.1}, {"word": "dog", "start": 0.5}, {"word": "barks", "start": 2.2}]}'
    )
    assert [spoken(track, cue) for cue in track.cues] == [[("a d", 100), ("dog", 500)], [("bar", 2_200)]]


def test_words_alone_are_the_text() -> None:
    track = read(
        b'{"text": "Hi there.", "words": [{"word": "Hi", "start": 0.1, "end": 0.4}, {"word": "there.", "start": 0.5, "end": 1}]}'
    )
    assert told(track) == [("Hi there.", 100, 1_000)]
    assert bytes_of(track, EntryKind.REPEAT) == [b"Hi there."]


AWS_ITEMS = (
    b'"items": [{"id": 0, "start_time": "1.04", "end_time": "1.2", "type": "pronunciation", "alternatives": [{"content": "Yes"},'
    b' {"content": "Guess"}]}, {"id": 1, "type": "punctuation", "alternatives": [{"confidence": null, "content": ","}]},'
    b' {"id": 2, "start_time": "1.3", "end_time": "1.5", "type": "pronunciation", "alternatives": [{"content": "sir"}]},'
    b' {"id": 3, "type": "punctuation", "alternatives": [{"content": "."}]},'
    b' {"id": 4, "start_time": "1.6", "end_time": "2.0", "type": "pronunciation", "alternatives": [{"content": "No"}]}]'
)


def test_aws_items_join_with_punctuation_attached_and_cut_at_sentences() -> None:
    track = read(b'{"jobName": "x", "results": {"transcripts": [{"transcript": "Yes, sir. No"}], ' + AWS_ITEMS + b"}}")
    assert track.format is CaptionFormat.AWS
    assert told(track) == [("Yes, sir.", 1_040, 1_500), ("No", 1_600, 2_000)]
    assert bytes_of(track, EntryKind.REPEAT) == [b"Yes, sir. No"]
    assert bytes_of(track, EntryKind.TIMING) == [b"1.04", b"1.5", b"1.6", b"2.0"]
    assert b"Guess" in bytes_of(track, EntryKind.METADATA)
    assert track.remarks == ()


def test_aws_speakers_divide_cues() -> None:
    labels = (
        b'"speaker_labels": {"segments": [{"speaker_label": "spk_0", "items": [{"start_time": "1.04",'
        b' "speaker_label": "spk_0"}]},'
        b' {"items": [{"start_time": "1.3", "speaker_label": "spk_1"}, {"start_time": "1.6", "speaker_label": ""}]}]}, '
    )
    track = read(b'{"results": {' + labels + AWS_ITEMS + b"}}")
    assert [(cue.text, cue.speakers) for cue in track.cues] == [("Yes,", ("spk_0",)), ("sir.", ("spk_1",)), ("No", ())]


def test_aws_audio_segments_are_the_text_where_there_are_any() -> None:
    segments = (
        b', "audio_segments": [{"id": 0, "transcript": "Yes, sir. No", "start_time": "1.0", "end_time": "2.1",'
        b' "items": [0,1,2,3,4]}]'
    )
    track = read(b'{"results": {' + AWS_ITEMS + segments + b"}}")
    assert told(track) == [("Yes, sir. No", 1_000, 2_100)]
    assert bytes_of(track, EntryKind.REPEAT) == [b"Yes", b",", b"sir", b".", b"No"]
    assert spoken(track, track.cues[0]) == [("Yes", 1_040), ("sir", 1_300), ('No"', 1_600)]


DEEPGRAM_WORDS = (
    b'[{"word": "hi", "start": 0.5, "end": 0.8, "speaker": 0, "punctuated_word": "Hi."},'
    b' {"word": "you", "start": 0.9, "end": 1.25, "speaker": 1, "punctuated_word": "You"}]'
)


def deepgram(more: bytes = b"", utterances: bytes = b"") -> Track:
    best = b'{"transcript": "Hi. You", "confidence": 0.9, "words": ' + DEEPGRAM_WORDS + more + b"}"
    second = b'{"transcript": "High. Ewe", "words": []}'
    return read(b'{"results": {"channels": [{"alternatives": [' + best + b", " + second + b"]}]" + utterances + b"}}")


def test_deepgram_words_are_the_text_where_nothing_larger_is() -> None:
    track = deepgram()
    assert [(cue.text, *cue.time, cue.speakers) for cue in track.cues] == [("Hi.", 500, 800, ("0",)), ("You", 900, 1_250, ("1",))]
    assert bytes_of(track, EntryKind.REPEAT) == [b"Hi. You"]
    assert b"High. Ewe" in bytes_of(track, EntryKind.METADATA)
    assert "2 of them differ in letters, the first “hi” where the text has “Hi.”" in track.remarks[0]


def test_deepgram_sentences_come_before_words() -> None:
    track = deepgram(
        b', "paragraphs": {"transcript": "\\nSpeaker 0: Hi. You", "paragraphs": [{"speaker": 0, "sentences": ['
        b'{"text": "Hi.", "start": 0.5, "end": 0.8}, {"text": "You", "start": 0.9, "end": 1.25}]}]}'
    )
    assert [(cue.text, cue.speakers) for cue in track.cues] == [("Hi.", ("0",)), ("You", ("0",))]
    assert bytes_of(track, EntryKind.REPEAT) == [b"Hi. You", b"Hi.", b"You"]


def test_deepgram_utterances_come_first() -> None:
    track = deepgram(
        utterances=b', "utterances": [{"start": 0.5, "end": 1.25, "speaker": 3, "transcript": "Hi. You", "words": '
        + DEEPGRAM_WORDS
        + b"}]"
    )
    assert [(cue.text, *cue.time, cue.speakers) for cue in track.cues] == [("Hi. You", 500, 1_250, ("3",))]
    assert spoken(track, track.cues[0])[0] == ("Hi.", 500)


ASSEMBLY_WORDS = (
    b'[{"text": "Yes", "start": 170, "end": 718, "speaker": "A"}, {"text": "sir.", "start": 884, "end": 1166, "speaker": "A"},'
    b' {"text": "No", "start": 1200, "end": 1300, "speaker": "B"}]'
)


def test_assemblyai_counts_milliseconds_and_cuts_words_at_speakers() -> None:
    track = read(b'{"text": "Yes sir. No", "language_code": "en", "words": ' + ASSEMBLY_WORDS + b', "utterances": null}')
    assert (track.format, track.language) == (CaptionFormat.ASSEMBLYAI, "en")
    assert [(cue.text, *cue.time, cue.speakers) for cue in track.cues] == [
        ("Yes sir.", 170, 1_166, ("A",)),
        ("No", 1_200, 1_300, ("B",)),
    ]


def test_assemblyai_utterances_come_first() -> None:
    track = read(
        b'{"text": "Yes sir. No", "words": ' + ASSEMBLY_WORDS + b', "utterances": [{"speaker": "A", "start": 170, "end": 1166,'
        b' "text": "Yes sir.", "words": []}, {"speaker": "B", "start": 1200, "end": 1300, "text": "No"}]}'
    )
    assert [(cue.text, cue.speakers) for cue in track.cues] == [("Yes sir.", ("A",)), ("No", ("B",))]
    assert bytes_of(track, EntryKind.REPEAT) == [b"Yes sir. No", b"Yes", b"sir.", b"No"]


@pytest.mark.parametrize(
    "words",
    [
        b'[{"startTime": {"seconds": "12", "nanos": 900000000}, "endTime": {"seconds": "13", "nanos": 300000000},'
        b' "word": "There"},'
        b' {"startTime": {"seconds": "13", "nanos": 300000000}, "endTime": {"seconds": "14"}, "word": "was"}]',
        b'[{"startTime": "12.900s", "endTime": "13.300s", "word": "There"}, {"startTime": "13.3s", "endTime": "14s",'
        b' "word": "was"}]',
        b'[{"startOffset": "12.9s", "endOffset": "13.3s", "word": "There"}, {"startOffset": "13.3s",'
        b' "endOffset": "14s", "word": "was"}]',
    ],
)
def test_google_in_its_spellings(words: bytes) -> None:
    best = b'{"transcript": " There was", "confidence": 0.9, "words": ' + words + b"}"
    track = read(b'{"results": [{"alternatives": [' + best + b', {"transcript": "Their was"}], "languageCode": "en-us"}]}')
    assert (track.format, track.language) == (CaptionFormat.GOOGLE, "en-us")
    assert told(track) == [("There was", 12_900, 14_000)]
    assert spoken(track, track.cues[0]) == [("The", 12_900), ("was", 13_300)]
    assert read(b'{"name": "1", "response": {"results": [{"alternatives": [' + best + b"]}]}}").cues[0].time == (12_900, 14_000)


def test_google_speakers_come_from_the_last_result_which_is_no_text() -> None:
    track = read(
        b'{"results": [{"alternatives": [{"transcript": "yes no", "words": [{"startTime": "1s", "endTime": "2s", "word": "yes"},'
        b' {"startTime": "2s", "endTime": "3s", "word": "no"}]}]}, {"alternatives": [{"words": ['
        b'{"startTime": "1s", "word": "yes", "speakerTag": 1}, {"startTime": "2s", "word": "no", "speakerTag": 2}]}]}]}'
    )
    assert [(run.text, run.speaker) for run in track.cues[0].runs] == [("yes ", "1"), ("no", "2")]


def test_ibm_timestamps_and_speakers() -> None:
    result = (
        b'{"final": true, "alternatives": [{"transcript": "there is ", "timestamps": [["there", 13.04, 13.23],'
        b' ["is", 13.23, 13.36]]}]}'
    )
    labels = b'"speaker_labels": [{"from": 13.04, "to": 13.23, "speaker": 1}, {"from": 13.23, "to": 13.36, "speaker": 2}]'
    plain = b'"results": [' + result + b", " + result.replace(b"true", b"false") + b"], " + labels
    for data in (b"{" + plain + b"}", b'{"status": "completed", "results": [{' + plain + b"}]}"):
        track = read(data)
        assert (track.format, told(track)) == (CaptionFormat.IBM, [("there is", 13_040, 13_360)])
        assert [(run.text, run.speaker) for run in track.cues[0].runs] == [("there ", "1"), ("is", "2")]


def test_speechmatics_of_both_generations() -> None:
    first = read(
        b'{"job": {"lang": "en"}, "speakers": [{"duration": "2.00", "name": "F4", "time": "13.05"}], "words": ['
        b'{"duration": "0.18", "name": "There", "time": "13.05"}, {"duration": "0.46", "name": ".", "time": "13.42"},'
        b' {"duration": "0.5", "name": "Two", "time": "14.0"}]}'
    )
    assert (first.format, first.language) == (CaptionFormat.SPEECHMATICS, "en")
    assert [(cue.text, *cue.time, cue.speakers) for cue in first.cues] == [
        ("There.", 13_050, 13_880, ("F4",)),
        ("Two", 14_000, 14_500, ("F4",)),
    ]
    second = read(
        b'{"format": "2.9", "results": [{"type": "word", "start_time": 1.0, "end_time": 1.5, "alternatives": [{"content": "Hi",'
        b' "speaker": "S1"}]}, {"type": "punctuation", "attaches_to": "previous", "start_time": 1.5, "end_time": 1.5,'
        b' "alternatives": [{"content": "!", "speaker": "S1"}]}]}'
    )
    assert [(cue.text, *cue.time, cue.speakers) for cue in second.cues] == [("Hi!", 1_000, 1_500, ("S1",))]


def test_kaldi_takes_the_punctuated_words_and_speakers_by_time() -> None:
    track = read(
        b'{"retval": {"punct": "There is. It", "words": [{"start": 1.02, "end": 1.17, "word": "there", "punct": "There"},'
        b' {"start": 1.17, "end": 1.3, "word": "is", "punct": "is."}, {"start": 4.0, "end": 4.2, "word": "it", "punct": "It"}],'
        b' "segmentation": {"segments": [{"start": 1.0, "duration": 2.0, "speaker": {"@id": "S1"}}]}}}'
    )
    assert track.format is CaptionFormat.KALDI
    assert [(cue.text, *cue.time, cue.speakers) for cue in track.cues] == [
        ("There is.", 1_020, 1_300, ("S1",)),
        ("It", 4_000, 4_200, ()),
    ]
    assert bytes_of(track, EntryKind.REPEAT) == [b"There is. It"]


def test_vosk_results_are_cues() -> None:
    one = b'{"result": [{"conf": 1.0, "end": 1.5, "start": 1.0, "word": "hello"}], "text": "hello"}'
    assert told(read(one)) == told(read(b"[" + one + b"]")) == [("hello", 1_000, 1_500)]


def test_podcasting_segments_name_their_speakers() -> None:
    track = read(
        b'{"version": "1.0.0", "segments": [{"speaker": "Darth Vader", "startTime": 0.5, "endTime": 0.75, "body": "I"},'
        b' {"startTime": 1, "endTime": 1.25, "body": "am"}]}'
    )
    assert track.format is CaptionFormat.PODCAST
    assert [(cue.text, *cue.time, cue.speakers) for cue in track.cues] == [
        ("I", 500, 750, ("Darth Vader",)),
        ("am", 1_000, 1_250, ()),
    ]


def test_captions_keyed_by_their_seconds_have_no_ends_and_keep_repeated_keys() -> None:
    track = read(b'{"00:00": "okay", "00:07": "for coders", "00:07": "less than", "61:02": "one", "1:01:03.5": "two"}')
    assert track.format is CaptionFormat.SECOND_KEYED
    assert [(cue.text, cue.time.start_ms) for cue in track.cues] == [
        ("okay", 0), ("for coders", 7_000), ("less than", 7_000), ("one", 3_662_000), ("two", 3_663_500),
    ]  # fmt: skip
    assert {defect.fault for defect in track.order} == {OrderFault.NO_END}
    assert bytes_of(track, EntryKind.TIMING)[:2] == [b"00:00", b"00:07"]


@pytest.mark.parametrize("data", [b'{"00:61": "a"}', b'{"00:07": "a", "title": "b"}', b'{"00:07": 3}', b"{}", b"[]", b'["a"]'])
def test_near_misses_of_keyed_captions_are_refused(data: bytes) -> None:
    with pytest.raises(CaptionError, match=r"no transcript of a shape that is understood.*Understood are Whisper"):
        read(data)


def test_words_are_cut_at_a_second_of_silence_and_before_fifteen() -> None:
    def words(*times: float) -> Track:
        listed = ", ".join(f'{{"word": "w", "start": {time}, "end": {time + 0.5}}}' for time in times)
        return read(f'{{"words": [{listed}]}}'.encode())

    assert len(words(0, 1.49).cues) == 1
    assert len(words(0, 1.5).cues) == 2
    long = words(*range(40))
    assert all(cue.time.end_ms - cue.time.start_ms <= 15_000 for cue in long.cues)
    assert len(words(*(n * 0.9 for n in range(40))).cues) == 3


def test_words_without_any_times_are_still_cut_and_follow_what_was_before() -> None:
    listed = b", ".join([b'{"word": "w"}'] * 200)
    track = read(b'{"segments": [{"start": 1, "end": 3, "text": "a"}, {"words": [' + listed + b"]}]}")
    assert len(track.cues) == 4
    assert {cue.time.start_ms for cue in track.cues[1:]} == {3_000}


def test_unspaced_scripts_join_without_spaces() -> None:
    words = '{"words": [{"word": "東京", "start": 1, "end": 2}, {"word": "です", "start": 2, "end": 3}]}'
    assert read(words.encode()).cues[0].text == "東京です"


def test_escaped_copies_are_followed_letter_by_letter() -> None:
    track = read(
        b'{"segments": [{"start": 0, "end": 2, "text": " na\\u00efve \\ud83d\\ude00 caf\\u00e9\\nend",'
        b' "words": [{"word": "na\xc3\xafve", "start": 0}, {"word": "\xf0\x9f\x98\x80", "start": 1},'
        b' {"word": "caf\\u00e9", "start": 1.5}]}]}'
    )
    assert track.cues[0].text == "naïve 😀 café end"
    assert [word.start_ms for word in track.cues[0].word_times] == [0, 1_000, 1_500]
    assert track.remarks == ()


@given(
    st.lists(
        st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6), min_size=1, max_size=5), max_size=4
    ),
    st.booleans(),
    st.sampled_from([None, 1]),
)
def test_any_whisper_text_is_read_as_it_stands(segments: list[list[str]], is_ascii: bool, indent: int | None) -> None:
    listed = [
        {"start": n, "end": n + 1, "text": " ".join(words), "words": [{"word": word, "start": n} for word in words]}
        for n, words in enumerate(segments)
    ]
    data = json.dumps(
        {"text": " ".join(" ".join(words) for words in segments), "segments": listed}, ensure_ascii=is_ascii, indent=indent
    )
    try:
        track = read(data.encode())
    except CaptionError:
        assert not any(word.strip() for words in segments for word in words) or not segments
        return
    assert len(track.cues) == len(segments)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"replayChatItemAction": {"text": "first lol", "videoOffsetTimeMsec": "5000"}}', "live chat replay"),
        (b'{"segments": []}', "no transcript of a shape"),
        (b'{"segments": [{"start": 1, "end": 2, "text": " "}]}', "all its cues are empty"),
        (b'{"segments": [{"start": 1, "end": 2, "text": "a"}', "ends in the middle"),
        (b'{"name": "package", "version": "1"}', "no transcript of a shape"),
        (b"[" * 100_000, "nests too deeply"),
        (b'{"segments": [{"start": NaN, "end": 2, "text": "a"}]}', "not valid JSON"),
    ],
)
def test_what_is_no_transcript_is_refused_with_its_reason(data: bytes, reason: str) -> None:
    with pytest.raises(CaptionError, match=reason):
        read(data)


def test_a_start_that_is_no_time_takes_the_end_before_it() -> None:
    track = read(b'{"segments": [{"start": 1, "end": 2, "text": "a"}, {"start": 1e999, "end": 3, "text": "b"}]}')
    assert told(track) == [("a", 1_000, 2_000), ("b", 2_000, 3_000)]


@pytest.mark.parametrize("path", parametrised("08-asr-transcripts/*.json", "10-long/*.json"))
def test_real_files_are_read_whole(path: Path) -> None:
    track = read(path.read_bytes())
    assert track.ledger.totals()["unread"] == 0
    assert track.ledger.totals()["text"] > 0
    assert audit(track).defects == ()
