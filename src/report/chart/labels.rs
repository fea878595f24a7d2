//! Places the labels of points: beside their points, over nothing else.
//!
//! It works on rectangles. Labels are placed one after the other, each at the first free place on growing rings around its point.

/// A place, in units of the drawing from the upper left corner.
pub(super) type Place = (i32, i32);

/// A rectangle, its ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rectangle {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
}

/// A label to place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label {
    /// Its point.
    pub(super) at: Place,
    /// From the middle of the point's marker to its end.
    pub(super) radius: i32,
    pub(super) width: i32,
    pub(super) height: i32,
}

/// The place of a label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PlacedLabel {
    pub(super) box_of: Rectangle,
    /// From the marker to the label, where they are too far apart to be seen as one.
    pub(super) leader: Option<[Place; 2]>,
}

/// Directions from a point in the order in which they are tried, in thousandths: right, left, above, below, then between them.
const DIRECTIONS: [(i32, i32); 16] = [
    (1000, 0),
    (-1000, 0),
    (0, -1000),
    (0, 1000),
    (707, -707),
    (707, 707),
    (-707, -707),
    (-707, 707),
    (924, -383),
    (924, 383),
    (-924, -383),
    (-924, 383),
    (383, -924),
    (383, 924),
    (-383, -924),
    (-383, 924),
];
/// Rings that are tried.
const RINGS: i32 = 60;

impl Rectangle {
    /// Whether the two overlap.
    pub(super) const fn meets(self, other: Self) -> bool {
        self.left <= other.right
            && other.left <= self.right
            && self.top <= other.bottom
            && other.top <= self.bottom
    }

    const fn holds(self, other: Self) -> bool {
        self.left <= other.left
            && other.right <= self.right
            && self.top <= other.top
            && other.bottom <= self.bottom
    }

    /// The place inside that is nearest to another.
    fn nearest(self, (x, y): Place) -> Place {
        (
            x.clamp(self.left, self.right),
            y.clamp(self.top, self.bottom),
        )
    }

    /// Whether a line meets it, sampled every few units.
    fn is_crossed(self, [from, to]: [Place; 2]) -> bool {
        let around = Self {
            left: from.0.min(to.0),
            top: from.1.min(to.1),
            right: from.0.max(to.0),
            bottom: from.1.max(to.1),
        };
        if !self.meets(around) {
            return false;
        }
        let steps = ((to.0 - from.0).abs().max((to.1 - from.1).abs()) / 4).max(1);
        (0..=steps).any(|step| {
            let (x, y) = (
                from.0 + (to.0 - from.0) * step / steps,
                from.1 + (to.1 - from.1) * step / steps,
            );
            self.meets(Self {
                left: x,
                top: y,
                right: x,
                bottom: y,
            })
        })
    }
}

/// How many orders are tried.
const TRIES: usize = 4;

/// What leaders must not cross, the strictest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Leaders {
    /// Labels and the markers of others.
    PastMarkers,
    PastLabels,
    Anywhere,
}

/// Places for all of `labels` within `frame`, none over another or over one of `taken` (markers and bars). The widest goes first; where
/// one finds no place, it goes first in the next try. Leaders may cross markers and labels if only that leaves a place for
/// every label. `None` for a label without any place.
pub(super) fn place(
    labels: &[Label],
    taken: &[Rectangle],
    frame: Rectangle,
) -> Vec<Option<PlacedLabel>> {
    let mut order: Vec<_> = (0..labels.len()).collect();
    order.sort_by_key(|&at| -labels[at].width);
    let mut places = Vec::new();
    for leaders in [Leaders::PastMarkers, Leaders::PastLabels, Leaders::Anywhere] {
        for _ in 0..TRIES {
            places = in_order(&order, labels, (taken, frame), leaders);
            match order.iter().rposition(|&at| places[at].is_none()) {
                Some(at) => order[..=at].rotate_right(1),
                None => return places,
            }
        }
    }
    places
}

/// Places for `labels` one after the other in this order.
fn in_order(
    order: &[usize],
    labels: &[Label],
    (taken, frame): (&[Rectangle], Rectangle),
    leaders: Leaders,
) -> Vec<Option<PlacedLabel>> {
    let mut places = vec![None; labels.len()];
    for &at in order {
        let is_free = |one: &PlacedLabel| {
            frame.holds(one.box_of)
                && !taken.iter().any(|marker| one.box_of.meets(*marker))
                && (leaders > Leaders::PastMarkers
                    || !taken.iter().any(|marker| one.passes(*marker)))
                && places
                    .iter()
                    .flatten()
                    .all(|other| are_apart(one, other, leaders))
        };
        let mut tried = (0..RINGS)
            .flat_map(|ring| DIRECTIONS.map(|direction| candidate(&labels[at], ring, direction)));
        places[at] = tried.find(is_free);
    }
    places
}

/// Whether the labels don't overlap and neither is under the leader of the other; leaders may cross.
fn are_apart(one: &PlacedLabel, other: &PlacedLabel, leaders: Leaders) -> bool {
    let is_under = |label: &PlacedLabel, of: &PlacedLabel| {
        of.leader
            .is_some_and(|leader| label.box_of.is_crossed(leader))
    };
    !one.box_of.meets(other.box_of)
        && (leaders == Leaders::Anywhere || !is_under(one, other) && !is_under(other, one))
}

impl PlacedLabel {
    /// Whether its leader meets the marker of another point.
    fn passes(&self, marker: Rectangle) -> bool {
        self.leader.is_some_and(|leader| {
            marker.nearest(leader[0]) != leader[0] && marker.is_crossed(leader)
        })
    }
}

/// A label on a ring about its point.
fn candidate(label: &Label, ring: i32, (dx, dy): (i32, i32)) -> PlacedLabel {
    let Label {
        at: (x, y),
        radius,
        width,
        height,
    } = *label;
    let away = radius + height / 4 + ring * height / 4;
    let middle = (
        x + dx * (width / 2 + away) / 1000,
        y + dy * (height / 2 + away) / 1000,
    );
    let (left, top) = (middle.0 - width / 2, middle.1 - height / 2);
    let box_of = Rectangle {
        left,
        top,
        right: left + width,
        bottom: top + height,
    };
    let near = box_of.nearest((x, y));
    let far = (near.0 - x).abs().max((near.1 - y).abs()) > radius + height * 5 / 8;
    PlacedLabel {
        box_of,
        leader: far.then_some([(x, y), near]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Rectangle = Rectangle {
        left: 0,
        top: 0,
        right: 2000,
        bottom: 1200,
    };

    fn label((x, y): Place, width: i32) -> Label {
        Label {
            at: (x, y),
            radius: 20,
            width,
            height: 50,
        }
    }

    fn marker((x, y): Place) -> Rectangle {
        Rectangle {
            left: x - 20,
            top: y - 20,
            right: x + 20,
            bottom: y + 20,
        }
    }

    #[test]
    fn a_label_alone_stands_right_of_its_point_and_left_of_one_at_the_edge() {
        let places = [(500, 500), (1990, 500)];
        let taken = places.map(marker);
        let placed = place(&places.map(|at| label(at, 200)), &taken, FRAME);
        let boxes: Vec<_> = placed.iter().map(|one| one.unwrap().box_of).collect();
        assert_eq!(
            (boxes[0].left, boxes[0].top, boxes[0].bottom),
            (532, 475, 525)
        );
        assert!(
            boxes[1].right < 1970 && boxes[1].bottom == 525,
            "{:?}",
            boxes[1]
        );
        assert!(placed.iter().all(|one| one.unwrap().leader.is_none()));
    }

    fn assert_apart(placed: &[PlacedLabel], taken: &[Rectangle], frame: Rectangle) {
        for (index, one) in placed.iter().enumerate() {
            assert!(frame.holds(one.box_of), "{one:?}");
            assert!(
                taken.iter().all(|marker| !one.box_of.meets(*marker)),
                "{one:?}"
            );
            assert!(
                placed[..index]
                    .iter()
                    .all(|other| !one.box_of.meets(other.box_of)),
                "{one:?} is over another"
            );
        }
    }

    #[test]
    fn labels_of_a_crowd_stand_apart_inside_the_frame_with_lines_to_their_points() {
        let places: Vec<_> = (0..20)
            .map(|at| (1000 + 7 * at, 600 + 11 * (at % 5)))
            .collect();
        let labels: Vec<_> = places.iter().map(|&at| label(at, 150)).collect();
        let taken: Vec<_> = places.iter().map(|&at| marker(at)).collect();
        let placed: Vec<_> = place(&labels, &taken, FRAME)
            .into_iter()
            .map(Option::unwrap)
            .collect();
        assert_apart(&placed, &taken, FRAME);
        assert!(placed.iter().filter(|one| one.leader.is_some()).count() >= 10);
    }

    #[test]
    fn leaders_of_a_loose_crowd_run_past_markers_and_labels() {
        let places: Vec<_> = (0..8)
            .map(|at| (900 + 45 * at, 600 + 45 * (at % 2)))
            .collect();
        let labels: Vec<_> = places.iter().map(|&at| label(at, 150)).collect();
        let taken: Vec<_> = places.iter().map(|&at| marker(at)).collect();
        let placed: Vec<_> = place(&labels, &taken, FRAME)
            .into_iter()
            .map(Option::unwrap)
            .collect();
        assert_apart(&placed, &taken, FRAME);
        for one in &placed {
            assert!(
                !taken.iter().any(|marker| one.passes(*marker)),
                "{one:?} passes a marker"
            );
            let others = placed.iter().filter(|other| *other != one);
            assert!(
                others
                    .into_iter()
                    .all(|other| are_apart(one, other, Leaders::PastLabels)),
                "{one:?}"
            );
        }
    }

    #[test]
    fn a_label_wider_than_the_frame_has_no_place() {
        assert_eq!(place(&[label((500, 500), 2001)], &[], FRAME), [None]);
    }
}
